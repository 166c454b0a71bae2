// @ts-check
/**
 * Facts about the table and the rights of this page (`GET /api/about`).
 */

import { setLanguage } from "../i18n/language.js";
import { fetchText } from "../net/request.js";

const COLOUR = /^#[0-9a-f]{6}$/i;

/**
 * @typedef {{teams: import("../i18n/labels.js").Teams, language: string,
 *   languages: Record<string, string>, buttons: string[], mock: boolean,
 *   leds: ([number, number] | null)[], width_mm: number, height_mm: number, zones: boolean, press: boolean,
 *   near: boolean, right: "watch" | "score" | "run", run: string, pages: string[],
 *   first_run: boolean, reverted: boolean, local_only: boolean}} About
 */

/** Fetch the answer's text, for comparison with a later one, and set the page's language. */
export async function fetchAbout() {
  const text = await fetchText("/api/about");
  const { language } = JSON.parse(text);
  await setLanguage(language);
  return text;
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

/** Reload the page if the server was restarted with another board or other teams. @param {string} text of `fetchAbout` */
export async function reloadIfChanged(text) {
  if ((await fetchAbout()) !== text) location.reload();
}
