// @ts-check
/**
 * Facts about the table and the rights of this page (`GET /api/about`).
 */

import { offerLanguages } from "../i18n/chooser.js";
import { setLanguage } from "../i18n/language.js";

const AGAIN_MS = 1000;
const COLOUR = /^#[0-9a-f]{6}$/i;

/**
 * @typedef {{teams: import("../i18n/labels.js").Teams, language: string,
 *   languages: Record<string, string>, buttons: string[], mock: boolean,
 *   leds: ([number, number] | null)[], width_mm: number, height_mm: number, press: boolean,
 *   near: boolean, right: "watch" | "score" | "run", run: string, pages: string[],
 *   first_run: boolean, reverted: boolean}} About
 */

/** Fetch the answer's text, for comparison with a later one, and set the page's language. */
export async function fetchAbout() {
  const text = await fetchText();
  const { language, languages } = JSON.parse(text);
  await setLanguage(language);
  offerLanguages(languages, language);
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
