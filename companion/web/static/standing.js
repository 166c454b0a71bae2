// @ts-check
/**
 * What is so right now, in words: whose deal it is, how a side stands, what the table waits for.
 */

import { many, onPath } from "./words.js";

/**
 * @typedef {{hands: number, may_move: boolean}} Box
 * @typedef {{state: "sign-up", joined: number[], joining: boolean} | {state: "show" | "asleep"}} Mode
 * @typedef {{head: string, below: string, team?: string}} Banner
 * @typedef {import("./words.js").Table} Table
 * @typedef {import("./words.js").Teams} Teams
 */

/**
 * Whose deal it is: seats go round the sides, and the seat is told only where a side has several.
 *
 * @param {Table} table
 * @param {Teams} teams
 */
export function handWords({ hand, dealer, teams: sides }, teams) {
  const order = Object.keys(sides);
  const name = teams[order[(dealer - 1) % order.length]].name;
  return `Hand ${hand}, ${name} deals${dealer > order.length ? `, seat ${dealer}` : ""}`;
}

/**
 * What a side must know of itself beside its numbers.
 *
 * @param {import("./words.js").Side} side
 * @param {Box | undefined} box
 */
export function sideWords(side, box) {
  const folded = side.folded ? "folded" : "";
  return [onPath(side.front)?.where, boxWords(side.boxed, box) || folded].filter(Boolean).join(", ");
}

/**
 * @param {number} boxed hands to sit, as every table tells
 * @param {Box | undefined} box
 */
function boxWords(boxed, box) {
  const hands = box?.hands ?? boxed;
  if (!hands) return box ? "free from the next deal" : "";
  return `boxed, ${many(hands, "hand")} to sit${box?.may_move ? ": press Enter to move" : ""}`;
}

/**
 * What stands over the board, if anything: what the table waits for goes before who has won.
 *
 * @param {Mode | null | undefined} mode
 * @param {number | null} winner
 * @param {Teams} teams
 * @returns {Banner | null}
 */
export function bannerWords(mode, winner, teams) {
  if (mode?.state === "sign-up") return signUpWords(mode, teams);
  if (mode?.state === "show") return { head: "", below: "The board shows off: any press wakes it" };
  if (mode?.state === "asleep") return { head: "", below: "Asleep: any press wakes it" };
  if (winner === null) return null;
  return {
    head: `${teams[`${winner}`].name} wins`,
    below: "Hold Mode 5 seconds for a new game, or Undo to take it back",
    team: `${winner}`,
  };
}

/**
 * @param {{joined: number[], joining: boolean}} mode
 * @param {Teams} teams
 */
function signUpWords({ joined, joining }, teams) {
  const names = joined.map((team) => teams[`${team}`]?.name).filter(Boolean).join(", ");
  return {
    head: names ? `New game: ${names}` : "New game",
    below: joining ? "Enter joins, Deal starts, Undo calls it off" : "Deal starts it",
  };
}
