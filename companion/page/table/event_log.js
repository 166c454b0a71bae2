// @ts-check
/** Event log: the lines of the commentary, newest first. */

import { say } from "../i18n/language.js";
import { recall, remember } from "../net/storage.js";
import { html, useMemo } from "../vendor/preact.js";

const MOST_ENTRIES = 256;
const RULE_CODES = "rule codes";
showRuleCodes(ruleCodesOn());

/** @typedef {(seq: number) => void} Correct called with the number of the count's entry */

export class EventLog {
  /**
   * @param {() => void} changed called at most once per animation frame when entries have been added
   * @param {number} [most] maximum number of entries
   */
  constructor(changed, most = MOST_ENTRIES) {
    this.changed = changed;
    this.most = most;
    /** Newest first. Unlike `seq`, `key` is unique. @type {(Api.EntryResponse & {key: number})[]} */
    this.entries = [];
    /** Number of the newest entry so far. Entries up to this number are not new. */
    this.history = 0;
    /** Cut for deal that waits for the entries before it. @type {(Api.EntryResponse & {key: number}) | null} */
    this.cut = null;
    this.count = 0;
    this.drawing = 0;
  }

  /** @param {number} seq number of the newest entry when the stream was opened */
  begin(seq) {
    this.history = seq;
  }

  /**
   * Add the line about the cut for deal. It has no number: on a page that was opened later, its place is below the deal
   * that followed it.
   *
   * @param {string} line
   */
  addCut(line) {
    const cut = { seq: 0, line, events: [], undone: [], key: (this.count += 1) };
    const newest = this.entries.find(({ seq }) => seq)?.seq ?? 0;
    if (newest >= this.history) this.entries = [cut, ...this.entries];
    else this.cut = cut;
  }

  /**
   * Add an entry, or replace an entry that is sent again after a change of names. Return true if it is new.
   *
   * @param {Api.EntryResponse} entry
   */
  add(entry) {
    const known = entry.seq > 0 ? this.entries.find(({ seq }) => seq === entry.seq) : undefined;
    const added = { ...entry, key: known?.key ?? (this.count += 1) };
    this.entries = known
      ? this.entries.map((each) => (each === known ? added : each))
      : [added, ...this.entries].slice(0, this.most);
    if (this.cut && entry.seq >= this.history) {
      const later = entry.events.some(({ kind }) => kind === "dealt") ? 1 : 0;
      this.entries = [...this.entries.slice(0, later), this.cut, ...this.entries.slice(later)];
      this.cut = null;
    }
    const isNew = entry.seq > this.history;
    if (isNew) this.history = entry.seq;
    this.drawing ||= requestAnimationFrame(() => {
      this.drawing = 0;
      this.changed();
    });
    return isNew;
  }
}

/**
 * List of the lines of the log, newest first.
 *
 * @param {{entries: (Api.EntryResponse & {key: number})[], about: {teams: Record<string, Api.SideLabel>, language: string},
 *   correct?: Correct | null} & Record<string, any>} props `correct`: called for a tap on a count; others: attributes
 */
export function EventLines({ entries, about: { teams: labels, language }, correct = null, ...attributes }) {
  const lines = useMemo(
    () => entries.map((entry) => html`<${Line} key=${entry.key} ...${{ entry, labels, correct }} />`), [entries, labels],
  );
  return html`<ol lang=${language} ...${attributes}>${lines}</ol>`;
}

/** Return true if the lines on this device have the numbers of the rules. */
export function ruleCodesOn() {
  return recall(RULE_CODES) === "on";
}

/** @param {boolean} on */
export function showRuleCodes(on) {
  remember(RULE_CODES, on ? "on" : "off");
  document.documentElement.classList.toggle("rule-codes", on);
}

/**
 * Line in the colour of the first side concerned, with the numbers of the applied rules. If counts can be
 * corrected, a line with a count is a button for that, and lines of the journal link to the records.
 *
 * @param {{entry: Api.EntryResponse, labels: Record<string, Api.SideLabel>, correct: Correct | null}} props
 */
function Line({ entry: { seq, line, events, undone }, labels, correct }) {
  const concerned = undone.length ? undone : events;
  const side = labels[`${concerned.find((event) => event.team)?.team}`];
  const rules = [...new Set(concerned.map(({ rule }) => rule).filter(Boolean))].join(" ");
  const words = html`${line}${rules && html`${" "}<span class="rule">${rules}</span>`}`;
  const counted = correct && events.some(({ kind }) => kind === "counted");
  return html`
    <li style=${side && { "--side": side.colour }}>
      ${counted ? html`<button class="correct" tabindex="-1" title=${say("Correct this count")} onClick=${() => correct(seq)}>${words}</button>` : words}
      ${correct && seq > 0 && html`${" "}<a class="again" tabindex="-1" href=${`/records#seq=${seq}`} title=${say("See this place again")}
        aria-label=${say("See this place again")}></a>`}
    </li>`;
}

/**
 * Move the focus with the arrow keys: up and down between the lines of the log, left and right within a line. So the
 * log is one tab stop.
 *
 * @param {KeyboardEvent} event of the log
 */
export function moveInLog(event) {
  const log = /** @type {HTMLElement} */ (event.currentTarget);
  const lines = [...log.querySelectorAll("li:has(button, a)")].map((line) => [...line.querySelectorAll("button, a")]);
  const focused = /** @type {Element} */ (event.target);
  const at = lines.findIndex((line) => line.includes(focused));
  const column = at < 0 ? 0 : lines[at].indexOf(focused);
  const next = /** @type {HTMLElement | undefined} */ ({
    ArrowUp: lines[at - 1]?.[0],
    ArrowDown: lines[at + 1]?.[0],
    ArrowLeft: lines[at]?.[column - 1],
    ArrowRight: lines[at]?.[column + 1],
  }[event.key]);
  if (!next) return;
  event.preventDefault();
  next.focus();
}
