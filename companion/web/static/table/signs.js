// @ts-check
/**
 * Signs for a television: each event in two or three large words, one after the other.
 */

import { many, say } from "../i18n/language.js";
import { html } from "../vendor/preact.js";

/** Time for which a sign stands. */
const STANDS_MS = 2600;
/** Signs that wait at most; of a page that comes late only the last are shown. */
const MOST_WAITING = 3;

/** Words of the kinds of event that have a sign. @type {Record<string, (event: Api.Event) => string>} */
const SIGNS = {
  counted: ({ points }) => `+${points}`,
  slid: (event) => say("Red slide {way}", { way: wayOf(event) }),
  trapped: () => say("Time trap"),
  advanced: () => say("Green advance"),
  folded: () => say("Penalty box"),
  boxed: ({ points }) => many(points ?? 0, "Out for {n} hand", "Out for {n} hands"),
  sent_back: (event) => say("Sent back {way}", { way: wayOf(event) }),
  awarded: ({ points }) => `+${points}`,
  penalised: (event) => say("Penalty {way}", { way: wayOf(event) }),
  released: () => say("Free again"),
  skunked: () => say("Skunk"),
  won: () => say("Wins"),
  match_won: () => say("Wins the match"),
};

/** @param {Api.Event} event @returns {string} the holes moved with their sign */
function wayOf({ from, to }) {
  const way = Number(to) - Number(from);
  return Number.isFinite(way) ? `${way > 0 ? "+" : "\u2212"}${Math.abs(way)}` : "";
}

export class Signs {
  /** @param {() => void} changed */
  constructor(changed) {
    this.changed = changed;
    /** The event whose sign stands, null for none. @type {Api.Event | null} */
    this.event = null;
    /** Number of the sign, unlike that of any other. */
    this.number = 0;
    /** @type {Api.Event[]} */
    this.waiting = [];
  }

  /** @param {Api.Event[]} events */
  add(events) {
    this.waiting.push(...events.filter(({ kind }) => Object.hasOwn(SIGNS, kind)));
    this.waiting.splice(0, this.waiting.length - MOST_WAITING);
    if (!this.event) this.next();
  }

  /** Show the next sign, or none. */
  next() {
    this.event = this.waiting.shift() ?? null;
    this.number += 1;
    if (this.event) setTimeout(() => this.next(), STANDS_MS);
    this.changed();
  }
}

/** @param {{signs: Signs, teams: Record<string, Api.Team>}} props */
export function Sign({ signs: { event, number }, teams }) {
  const { name, colour } = teams[`${event?.team}`] ?? {};
  return html`
    <p id="sign" role="status" style=${{ "--team": colour }} data-kind=${event?.kind}>
      ${event && html`<span key=${number} class="name">${name}</span>${" "}<strong key=${-number}>${SIGNS[event.kind](event)}</strong>`}
    </p>`;
}
