// @ts-check
/**
 * Where sides stand, a line each: front peg, and the count being entered.
 */

import { keep } from "../cards/cards.js";
import { make, write } from "../ui/dom.js";
import { onPath } from "../i18n/words.js";

/**
 * @param {HTMLElement} place a list
 * @param {string[]} sides which, in this order
 * @param {import("../i18n/words.js").Table["teams"]} standing
 * @param {import("../i18n/words.js").Teams} teams
 */
export function showFronts(place, sides, standing, teams) {
  for (const row of keep(place, sides, (team) => rowOf(teams[team]))) {
    const { front, pending } = standing[row.dataset.key ?? ""];
    write(row, ".hole", onPath(front)?.short ?? `${front}`);
    write(row, ".more", pending ? `+${pending}` : "");
  }
}

/** @param {import("../i18n/words.js").Teams[string]} team */
function rowOf({ name, colour }) {
  const row = make("li", "");
  row.style.setProperty("--team", colour);
  row.append(make("span", "name", name), " ", make("span", "hole"), " ", make("span", "more"));
  return row;
}
