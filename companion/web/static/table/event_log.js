// @ts-check
/**
 * The event log: the commentator's lines on what happened, the newest first.
 */

import { say } from "../i18n/language.js";
import { html, render } from "../vendor/preact.js";

const MOST_ENTRIES = 256;

/** @typedef {{kind: string, team: number | null, rule: string | null}} TableEvent */
/** @typedef {{seq: number, line: string, events: TableEvent[], undone: TableEvent[]}} Entry */
/** @typedef {(seq: number) => void} Correct takes the number of a count's entry */

export class EventLog {
  /**
   * @param {HTMLElement} place a list
   * @param {{teams: import("../i18n/labels.js").Teams, language: string}} about
   * @param {{most?: number, correct?: Correct | null}} [how] `correct` is called for a tap on a count
   */
  constructor(place, { teams, language }, { most = MOST_ENTRIES, correct = null } = {}) {
    this.place = place;
    this.teams = teams;
    this.most = most;
    this.correct = correct;
    /** Newest first; `key` is unlike a `seq` never that of two. @type {(Entry & {key: number})[]} */
    this.entries = [];
    this.count = 0;
    this.drawing = 0;
    place.lang = language;
  }

  /** @param {Entry} entry */
  add(entry) {
    this.entries = [{ ...entry, key: (this.count += 1) }, ...this.entries].slice(0, this.most);
    this.drawing ||= requestAnimationFrame(() => {
      this.drawing = 0;
      const { teams, correct } = this;
      render(html`${this.entries.map((each) => html`<${Line} key=${each.key} ...${{ entry: each, teams, correct }} />`)}`, this.place);
    });
  }
}

/**
 * A line in the colour of the first side concerned, with the numbers of the rules applied. Where counts
 * can be corrected, it leads to its place in the records too.
 *
 * @param {{entry: Entry, teams: import("../i18n/labels.js").Teams, correct: Correct | null}} props
 */
function Line({ entry: { seq, line, events, undone }, teams, correct }) {
  const concerned = undone.length ? undone : events;
  const team = teams[`${concerned.find((event) => event.team)?.team}`];
  const rules = [...new Set(concerned.map(({ rule }) => rule).filter(Boolean))].join(" ");
  const words = html`${line}${rules && html`${" "}<span class="rule">${rules}</span>`}`;
  const counted = correct && events.some(({ kind }) => kind === "counted");
  return html`
    <li style=${team && { "--team": team.colour }}>
      ${counted ? html`<button class="correct" title=${say("Correct this count")} onClick=${() => correct(seq)}>${words}</button>` : words}
      ${correct && seq > 0 && html`${" "}<a class="again" href=${`/records#seq=${seq}`} title=${say("See this place again")}
        aria-label=${say("See this place again")}></a>`}
    </li>`;
}
