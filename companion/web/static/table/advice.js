// @ts-check
/** Texts of the trap adviser about the effect of each possible next count. */

import { holeWords } from "../i18n/labels.js";
import { fill, say } from "../i18n/language.js";
import { facts } from "../ui/about.js";

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
