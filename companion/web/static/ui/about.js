// @ts-check
/**
 * What the table tells of itself and of what this page may do, as soon as it can be reached.
 */

import { setLanguage } from "../i18n/language.js";

const AGAIN_MS = 1000;
const COLOUR = /^#[0-9a-f]{6}$/i;

/**
 * @typedef {{teams: import("../i18n/labels.js").Teams, language: string, buttons: string[], mock: boolean,
 *   leds: ([number, number] | null)[], width_mm: number, height_mm: number, press: boolean,
 *   near: boolean, right: "watch" | "score" | "run", run: string, pages: string[],
 *   first_run: boolean}} About
 */

/** The answer's text, so that two can be compared; the page speaks the table's language then. */
export async function fetchAbout() {
  const text = await fetchText();
  await setLanguage(JSON.parse(text).language);
  return text;
}

async function fetchText() {
  for (;;) {
    try {
      const answer = await fetch("/api/about");
      if (answer.ok) return await answer.text();
    } catch {
      // The network may be back in a moment.
    }
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}

/**
 * @param {string} text
 * @returns {About}
 */
export function readAbout(text) {
  const about = JSON.parse(text);
  for (const team of Object.values(about.teams)) {
    if (!COLOUR.test(team.colour)) team.colour = "#ffffff";
  }
  return about;
}
