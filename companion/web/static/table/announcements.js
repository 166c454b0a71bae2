// @ts-check
/**
 * Announcements for screen readers: each new entry of the log, and where the sides stand after it.
 */

import { standingWords } from "../i18n/labels.js";

export class Announcements {
  /**
   * @param {HTMLElement} place a live region
   * @param {import("../i18n/labels.js").Teams} teams
   */
  constructor(place, teams) {
    this.place = place;
    this.teams = teams;
    /** Number of the newest entry that is history. */
    this.known = 0;
    /** @type {string[]} */
    this.lines = [];
  }

  /** @param {number} seq of the newest entry when the stream was opened */
  begin(seq) {
    this.known = seq;
  }

  /**
   * Announce an entry, in one with the others that come at the same time.
   *
   * @param {{seq: number, line: string}} entry
   * @param {import("../i18n/labels.js").Table | undefined} table after it
   */
  add({ seq, line }, table) {
    if (seq <= this.known || !table) return;
    this.known = seq;
    this.lines.push(line);
    if (this.lines.length > 1) return;
    requestAnimationFrame(() => {
      this.place.textContent = `${this.lines.join(" ")} ${standingWords(table, this.teams)}`;
      this.lines = [];
    });
  }
}
