// @ts-check
/**
 * The trap adviser's words: what the counts of the next entry would do.
 */

import { holeWords } from "./words.js";

/**
 * @typedef {{points: number, kind: string | null, front: import("./words.js").Hole,
 *   wins: boolean}} Outlook
 * @typedef {{outlooks: Outlook[], lead_five_to: number[]}} Advice
 */

/** @type {Record<string, (outlook: Outlook) => string>} */
const OUTLOOKS = {
  "red-slide": ({ front }) => `slides to ${holeWords(front)}`,
  "time-trap": () => "time trap",
  "green-advance": () => "green advance",
  "penalty-box": () => "penalty box",
};

/**
 * The counts that would land in a zone or win, those of one fate together, and what to lead.
 *
 * @param {Advice} advice
 */
export function adviceWords({ outlooks, lead_five_to }) {
  /** @type {Map<string, number[]>} */
  const fates = new Map();
  for (const outlook of outlooks) {
    const fate = outlook.wins ? "wins" : outlook.kind && OUTLOOKS[outlook.kind]?.(outlook);
    if (fate) fates.set(fate, [...(fates.get(fate) ?? []), outlook.points]);
  }
  const told = [...fates].map(([fate, counts]) => `${runWords(counts)} ${fate}`);
  if (lead_five_to.length) told.push("lead a five");
  return told.join("\u00a0· ");
}

/**
 * Rising numbers, with what follows without a gap drawn together: 5, 7–9.
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
