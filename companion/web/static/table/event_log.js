// @ts-check
/**
 * The event log: the commentator's line on the last entry stands out, a few before it stay below.
 */

import { say } from "../i18n/language.js";
import { make } from "../ui/dom.js";

/** Entries on show, the latest included. */
const MAX_ENTRIES = 6;

/** @typedef {{kind: string, team: number | null, rule: string | null}} TableEvent */

export class EventLog {
  /**
   * @param {HTMLElement} latest
   * @param {HTMLElement} earlier
   * @param {{teams: import("../i18n/labels.js").Teams, language: string}} about
   * @param {((seq: number) => void) | null} [correct] called for a tap on a count
   */
  constructor(latest, earlier, { teams, language }, correct = null) {
    this.latest = latest;
    this.earlier = earlier;
    this.teams = teams;
    this.correct = correct;
    for (const list of [latest, earlier]) list.lang = language;
  }

  /** @param {{seq: number, line: string, events: TableEvent[], undone: TableEvent[]}} entry */
  add({ seq, line, events, undone }) {
    this.earlier.prepend(...this.latest.children);
    while (this.earlier.children.length >= MAX_ENTRIES) this.earlier.lastChild?.remove();
    const item = this.item(line, undone.length ? undone : events);
    if (this.correct && events.some(({ kind }) => kind === "counted")) this.offer(item, seq);
    this.latest.append(item);
  }

  /**
   * Let a tap on a line correct its count.
   *
   * @param {HTMLElement} item
   * @param {number} seq
   */
  offer(item, seq) {
    const tap = make("button", "correct");
    tap.append(...item.childNodes);
    tap.title = say("Correct this count");
    tap.addEventListener("click", () => this.correct?.(seq));
    item.append(tap);
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
