// @ts-check
/**
 * Facts about the organiser's program and the rights of this page (`GET /api/about`); sets the
 * page's language.
 */

import { fetchAbout } from "../ui/about.js";

/**
 * @typedef {{language: string, languages: Record<string, string>, right: "watch" | "score" | "run",
 *   version: string, pages: string[]}} NightAbout
 */

/** @returns {Promise<NightAbout>} */
export async function fetchNightAbout() {
  return JSON.parse(await fetchAbout());
}
