// @ts-check
/**
 * The event log: the commentator's line on the last entry stands out, a few before it stay below.
 */

import { make } from "../ui/dom.js";

/** Entries on show, the latest included. */
const MAX_ENTRIES = 6;

/** @typedef {{team: number | null, rule: string | null}} TableEvent */

export class EventLog {
  /**
   * @param {HTMLElement} latest
   * @param {HTMLElement} earlier
   * @param {{teams: import("../i18n/labels.js").Teams, language: string}} about
   */
  constructor(latest, earlier, { teams, language }) {
    this.latest = latest;
    this.earlier = earlier;
    this.teams = teams;
    for (const list of [latest, earlier]) list.lang = language;
  }

  /** @param {{line: string, events: TableEvent[], undone: TableEvent[]}} entry */
  add({ line, events, undone }) {
    this.earlier.prepend(...this.latest.children);
    while (this.earlier.children.length >= MAX_ENTRIES) this.earlier.lastChild?.remove();
    this.latest.append(this.item(line, undone.length ? undone : events));
  }

  /**
   * Return a line in the colour of the first side concerned, with the numbers of the rules applied.
   *
   * @param {string} line
   * @param {TableEvent[]} events
   */
  item(line, events) {
    const item = make("li", "", line);
    const team = this.teams[`${events.find((event) => event.team)?.team}`];
    if (team) item.style.setProperty("--team", team.colour);
    const rules = new Set(events.map(({ rule }) => rule).filter(Boolean));
    if (rules.size) item.append(" ", make("span", "rule", [...rules].join(" ")));
    return item;
  }
}
