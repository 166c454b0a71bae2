// @ts-check
/** The event log: the commentator's lines on what happened, the newest first. */

import { say } from "../i18n/language.js";
import { html, useMemo } from "../vendor/preact.js";

const MOST_ENTRIES = 256;

/** @typedef {(seq: number) => void} Correct takes the number of a count's entry */

export class EventLog {
  /**
   * @param {() => void} changed entries have come: once a frame
   * @param {number} [most] entries that are shown
   */
  constructor(changed, most = MOST_ENTRIES) {
    this.changed = changed;
    this.most = most;
    /** Newest first; `key` is unlike a `seq` never that of two. @type {(Api.EntryResponse & {key: number})[]} */
    this.entries = [];
    /** Number of the newest entry when the stream was opened: those up to it are history. */
    this.history = 0;
    this.count = 0;
    this.drawing = 0;
  }

  /** @param {number} seq of the newest entry when the stream was opened */
  begin(seq) {
    this.history = seq;
  }

  /**
   * Add an entry, or replace the one that was told before with other names. Return true if it is new,
   * not history.
   *
   * @param {Api.EntryResponse} entry
   */
  add(entry) {
    const known = entry.seq > 0 ? this.entries.find(({ seq }) => seq === entry.seq) : undefined;
    const added = { ...entry, key: known?.key ?? (this.count += 1) };
    this.entries = known
      ? this.entries.map((each) => (each === known ? added : each))
      : [added, ...this.entries].slice(0, this.most);
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
 * The lines of the log, the newest first.
 *
 * @param {{entries: (Api.EntryResponse & {key: number})[], about: {teams: Record<string, Api.SideLabel>, language: string},
 *   correct?: Correct | null} & Record<string, any>} props `correct` is called for a tap on a count; and attributes of the list
 */
export function EventLines({ entries, about: { teams: labels, language }, correct = null, ...attributes }) {
  const lines = useMemo(
    () => entries.map((entry) => html`<${Line} key=${entry.key} ...${{ entry, labels, correct }} />`), [entries, labels],
  );
  return html`<ol lang=${language} ...${attributes}>${lines}</ol>`;
}

/**
 * A line in the colour of the first side concerned, with the numbers of the rules applied. Where counts
 * can be corrected, it leads to its place in the records too.
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
      ${counted ? html`<button class="correct" title=${say("Correct this count")} onClick=${() => correct(seq)}>${words}</button>` : words}
      ${correct && seq > 0 && html`${" "}<a class="again" href=${`/records#seq=${seq}`} title=${say("See this place again")}
        aria-label=${say("See this place again")}></a>`}
    </li>`;
}
