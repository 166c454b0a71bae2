// @ts-check
/**
 * What happened, the last entry first: it stands out, and a few before it stay to look back at.
 */

import { make } from "../ui/dom.js";
import { eventWords } from "../i18n/words.js";

/** How many entries are kept. */
const KEPT = 6;

/** @typedef {import("../i18n/words.js").TableEvent} TableEvent */

export class Story {
  /**
   * @param {HTMLElement} latest
   * @param {HTMLElement} earlier
   * @param {import("../i18n/words.js").Teams} teams
   */
  constructor(latest, earlier, teams) {
    this.latest = latest;
    this.earlier = earlier;
    this.teams = teams;
    /** @type {HTMLElement[][]} */
    this.entries = [];
  }

  /**
   * @param {{events: TableEvent[], undone: TableEvent[]}} entry
   * @param {import("../i18n/words.js").Table | undefined} table as it stands
   */
  tell({ events, undone }, table) {
    const lines = events.map((event) =>
      this.line(event, eventWords(event, this.teams, { table, undone })),
    );
    this.entries = [lines, ...this.entries].slice(0, KEPT);
    this.latest.replaceChildren(...lines);
    this.earlier.replaceChildren(...this.entries.slice(1).flat());
  }

  /**
   * @param {TableEvent} event
   * @param {string} words
   */
  line(event, words) {
    const item = make("li", "", words);
    const team = this.teams[`${event.team}`];
    if (team) item.style.setProperty("--team", team.colour);
    if (event.rule) item.append(" ", make("span", "rule", event.rule));
    return item;
  }
}
