// @ts-check
/**
 * Facts about the table and the rights of this page (`GET /api/about`). They change while the page is open:
 * with the settings, and with each start of the table's program.
 */

import { setLanguage } from "../i18n/language.js";
import { fetchText, request } from "../net/request.js";

/** The facts that were fetched last. @type {Api.About} */
export let facts;

/** Fetch the facts and set the page's language. Return the text of the answer, to compare it with a later one. */
export async function fetchAbout() {
  const text = await fetchText("/api/about");
  facts = JSON.parse(text);
  await setLanguage(facts.language, () => request("/api/words"));
  return text;
}

/** Facts of a page that stays open while they change. */
export class LiveAbout {
  /**
   * @param {string} text result of `fetchAbout`
   * @param {(now: Api.About, before: Api.About) => void} changed
   */
  constructor(text, changed) {
    this.text = text;
    this.now = facts;
    this.changed = changed;
  }

  /** Fetch the facts again if the settings have changed. @param {{settings: number}} news */
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
