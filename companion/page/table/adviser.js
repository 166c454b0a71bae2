// @ts-check
/**
 * Trap adviser: its switch, and texts about the effect of each possible next count. The browser stores the state of
 * the switch. It is off by default, because some players call it cheating. While it is on, the advice is fetched
 * after each change of the table.
 */

import { holeWords } from "../i18n/labels.js";
import { fill, say } from "../i18n/language.js";
import { request } from "../net/request.js";
import { recall, remember } from "../net/storage.js";
import { facts } from "../ui/about.js";
import { Switch } from "../ui/forms.js";
import { html } from "../vendor/preact.js";

const STORED_AS = "adviser";

export class Adviser {
  /** @param {() => void} changed */
  constructor(changed) {
    this.changed = changed;
    this.isOn = recall(STORED_AS) === "on";
    /** Advice by side, empty while the adviser is off. @type {Record<string, Api.Advice>} */
    this.advice = {};
    this.requests = 0;
  }

  toggle() {
    this.isOn = !this.isOn;
    remember(STORED_AS, this.isOn ? "on" : "off");
    this.refresh();
  }

  /** Fetch the current advice. Drop the answer if a later request has been made. */
  async refresh() {
    const number = (this.requests += 1);
    const advice = this.isOn ? await fetchAdvice() : {};
    if (number !== this.requests) return;
    this.advice = advice;
    this.changed();
  }
}

/** @param {{adviser: Adviser}} props */
export function AdviserSwitch({ adviser }) {
  return html`<${Switch} id="adviser" words=${say("Trap adviser")} on=${adviser.isOn} set=${() => adviser.toggle()} />`;
}

/** Fetch the advice by side. @returns {Promise<Record<string, Api.Advice>>} */
export async function fetchAdvice() {
  const { value, refusal } = await request("/api/advice");
  return refusal ? {} : value; // the page shows a lost connection elsewhere
}

/** @param {Api.Outcome} outlook */
function effectOf({ wins, kind, front }) {
  if (wins) return say("wins");
  return kind ? fill(facts.zone_kinds[kind].advice, { hole: holeWords(front) }) : "";
}

/** Return the landing of a count and its effect in words. @param {Api.Outcome} outlook */
export function landingWords(outlook) {
  const { points, lands, forfeited } = outlook;
  if (forfeited) return say("{points} is too many: the peg stays", { points });
  const values = { points, hole: holeWords(lands), effect: effectOf(outlook) };
  return values.effect
    ? say("{points} lands on {hole}: {effect}", values)
    : say("{points} lands on {hole}", values);
}

/**
 * Return the counts that would land in a zone or win, grouped by effect, and the card to lead.
 *
 * @param {Api.Advice} advice
 */
export function adviceWords({ outlooks, lead_five_to }) {
  /** @type {Map<string, number[]>} */
  const effects = new Map();
  for (const outlook of outlooks) {
    const effect = effectOf(outlook);
    if (effect) effects.set(effect, [...(effects.get(effect) ?? []), outlook.points]);
  }
  const told = [...effects].map(([effect, counts]) => say("{counts} {effect}", { counts: runWords(counts), effect }));
  if (lead_five_to.length) told.push(say("lead a five"));
  return told.join("\u00a0· ");
}

/**
 * Return ascending numbers as text. Consecutive numbers become a range: [5, 7, 8, 9] becomes "5, 7–9".
 *
 * @param {number[]} numbers
 */
function runWords(numbers) {
  /** @type {[number, number][]} */
  const runs = [];
  for (const number of numbers) {
    const last = runs.at(-1);
    if (last && last[1] === number - 1) last[1] = number;
    else runs.push([number, number]);
  }
  return runs.map(([first, last]) => (first === last ? `${first}` : `${first}–${last}`)).join(", ");
}
