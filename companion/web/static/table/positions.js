// @ts-check
/**
 * Positions of the sides, a line each: front peg and pending count.
 */

import { make, reconcile, write } from "../ui/dom.js";
import { onPath } from "../i18n/labels.js";

/**
 * @param {HTMLElement} place a list
 * @param {string[]} sides which, in this order
 * @param {import("../i18n/labels.js").Table["teams"]} standing
 * @param {import("../i18n/labels.js").Teams} teams
 */
export function showPositions(place, sides, standing, teams) {
  for (const row of reconcile(place, sides, (team) => rowOf(teams[team]))) {
    const { front, pending } = standing[row.dataset.key ?? ""];
    write(row, ".hole", onPath(front)?.short ?? `${front}`);
    write(row, ".more", pending ? `+${pending}` : "");
  }
}

/** @param {import("../i18n/labels.js").Teams[string]} team */
function rowOf({ name, colour }) {
  const row = make("li", "");
  row.style.setProperty("--team", colour);
  row.append(make("span", "name", name), " ", make("span", "hole"), " ", make("span", "more"));
  return row;
}
