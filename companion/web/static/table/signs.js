// @ts-check
/**
 * Signs for a television: each event in two or three large words, one after the other.
 */

import { facts } from "../ui/about.js";
import { fill } from "../i18n/language.js";
import { html } from "../vendor/preact.js";

/** Time for which a sign stands. */
const STANDS_MS = 2600;
/** Signs that wait at most; of a page that comes late only the last are shown. */
const MOST_WAITING = 3;

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
    this.waiting.push(...events.filter(({ kind }) => facts.event_signs[kind]));
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

/** @param {{signs: Signs, labels: Record<string, Api.SideLabel>}} props */
export function Sign({ signs: { event, number }, labels }) {
  const { name, colour } = labels[`${event?.team}`] ?? {};
  const words = event && fill(facts.event_signs[event.kind], { ...event, way: wayOf(event) });
  return html`
    <p id="sign" role="status" style=${{ "--side": colour }} data-kind=${event?.kind}>
      ${event && html`<span key=${number} class="name">${name}</span>${" "}<strong key=${-number}>${words}</strong>`}
    </p>`;
}
