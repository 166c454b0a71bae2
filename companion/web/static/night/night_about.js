// @ts-check
/**
 * Facts about the organiser's program and the rights of this page (`GET /api/about`); sets the
 * page's language.
 */

import { fetchAbout } from "../ui/about.js";

/** @returns {Promise<Api.NightAbout>} */
export async function fetchNightAbout() {
  return JSON.parse(await fetchAbout());
}
