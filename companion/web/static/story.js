// @ts-check
/**
 * What happened, the last entry first: it stands out, and a few before it stay to look back at.
 */

import { make } from "./panel.js";
import { eventWords } from "./words.js";

/** How many entries are kept, for as long as the page is open. */
const KEPT = 6;

/** @typedef {import("./words.js").TableEvent} TableEvent */

export class Story {
  /**
   * @param {HTMLElement} latest
   * @param {HTMLElement} earlier
   * @param {import("./words.js").Teams} teams
   */
  constructor(latest, earlier, teams) {
    this.latest = latest;
    this.earlier = earlier;
    this.teams = teams;
    /** @type {HTMLElement[][]} */
    this.entries = [];
    /** What was told last: a stream that comes back tells it again. */
    this.told = "";
  }

  /**
   * @param {import("./words.js").Table} table
   * @param {TableEvent[]} events
   * @param {TableEvent[]} undone
   */
  tell(table, events, undone) {
    const now = JSON.stringify([table.seq, events]);
    if (now === this.told) return;
    this.told = now;
    const lines = events.map((event) =>
      this.line(event, eventWords(event, this.teams, { table, undone })),
    );
    this.entries = [lines, ...this.entries.filter((entry) => entry.length)].slice(0, KEPT);
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
