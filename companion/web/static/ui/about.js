// @ts-check
/**
 * Facts about the table and the rights of this page (`GET /api/about`). They change with the settings,
 * while the page is open, and with each start of the table's program.
 */

import { setLanguage } from "../i18n/language.js";
import { fetchText } from "../net/request.js";

/** The facts that were fetched last. @type {Api.About} */
export let facts;

/** Fetch the answer's text, for comparison with a later one, and set the page's language. */
export async function fetchAbout() {
  const text = await fetchText("/api/about");
  facts = JSON.parse(text);
  await setLanguage(facts.language);
  return text;
}

/** The facts for a page that outlives them. */
export class LiveAbout {
  /**
   * @param {string} text of `fetchAbout`
   * @param {(now: Api.About, before: Api.About) => void} changed
   */
  constructor(text, changed) {
    this.text = text;
    this.now = facts;
    this.changed = changed;
  }

  /** Fetch the facts again if the news are of other ones. @param {{settings: number}} news */
  follow({ settings }) {
    if (settings !== this.now.settings) this.renew();
  }

  async renew() {
    const [text, before] = [await fetchAbout(), this.now];
    if (text === this.text) return;
    this.text = text;
    this.now = facts;
    this.changed(this.now, before);
  }
}

/** Return true if the sheet looks different with these facts. @param {Api.About} now @param {Api.About} before */
export function printsAnew(now, before) {
  return lookOf(now) !== lookOf(before);
}

/** @param {Api.About} facts */
function lookOf({ teams: labels, language }) {
  return [language, ...Object.values(labels).map(({ colour }) => colour)].join();
}
