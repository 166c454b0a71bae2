// @ts-check
/**
 * Texts for holes, for the standing and for the match. All texts are plain, to be shown with `textContent`.
 * The commentary on events comes from the table (table/event_log.js).
 */

import { facts } from "../ui/about.js";
import { fill, locale, say, sayings } from "./language.js";

/** @typedef {number | string} Hole */

/**
 * Return the labels of a hole on a side path, or null for a hole of the track. For example, `short` is "trap 3",
 * `where` is "on the blue path", and `hole` is "3 on the blue path".
 *
 * @param {Hole | null} hole
 */
export function onPath(hole) {
  if (typeof hole !== "string") return null;
  const [zone, number] = hole.split(":");
  const words = facts.zone_kinds[facts.side_paths[zone]];
  return words ? { short: fill(words.short, { number }), where: words.where, hole: fill(words.hole, { number }) } : null;
}

/** @param {Hole | null} hole */
export function holeWords(hole) {
  return onPath(hole)?.hole ?? `${hole}`;
}

/**
 * Return a sentence with the hole of each side.
 *
 * @param {Api.TableResponse} table
 * @param {Record<string, Api.SideLabel>} labels
 */
export function standingWords({ teams: sides }, labels) {
  const places = Object.entries(sides).map(([side, { front }]) => `${labels[side].name} ${holeWords(front)}`);
  return `${places.join(", ")}.`;
}

/**
 * Return a phrase about the leader or the winner, with the lead in holes. A winner by a claim may have no lead.
 *
 * @param {Api.TableResponse} table
 * @param {Record<string, Api.SideLabel>} labels
 */
export function leaderWords(table, labels) {
  const order = Object.entries(table.teams)
    .map(([side, { progress }]) => ({ side, name: labels[side].name, progress }))
    .sort((a, b) => b.progress - a.progress);
  const ahead = order[0].progress - order[1].progress;
  if (table.winner !== null) {
    const { name } = labels[`${table.winner}`];
    return ahead && order[0].side === `${table.winner}`
      ? say("{name} has won by {ahead}", { name, ahead })
      : say("{name} has won", { name });
  }
  if (ahead) return say("{name} leads by {ahead}", { name: order[0].name, ahead });
  const level = order.filter(({ progress }) => progress === order[0].progress).map(({ name }) => name);
  const names = level.reduce((first, last) => say("{first} and {last}", { first, last }));
  return say("{names} are level", { names });
}

/**
 * Return the score of the match with its target or winner; "" for single games before the first win.
 *
 * @param {Api.MatchValue} match
 * @param {Record<string, Api.SideLabel>} labels
 */
export function matchWords({ games, to, winner }, labels) {
  const score = Object.entries(games)
    .map(([side, won]) => `${labels[side].name} ${won}`)
    .join(", ");
  if (winner !== null) return say("{name} has won the match: {score}", { name: labels[`${winner}`].name, score });
  if (to !== null) return say("Match to {to}: {score}", { to, score });
  return Object.values(games).some(Boolean) ? say("Games won: {score}", { score }) : "";
}

const CONNECTION = sayings({
  waiting: "Looking for the table",
  live: "Live",
  lost: "Connection lost, trying again",
  off: "The table is switched off; this page waits for it",
  restarts: "The table restarts",
  resting: "Resting",
});

/**
 * @param {import("../net/stream.js").Connection} connection
 * @param {Record<string, string>} [words] texts by state
 */
export function connectionWords({ state, at }, words = CONNECTION) {
  if (state !== "lost" || !at) return words[state];
  return say("Not current since {time}", { time: at.toLocaleTimeString(locale()) });
}

/** Return the name of a side's score pad. @param {string} name of the side */
export function padWords(name) {
  return say("{name}'s score pad", { name });
}

export const PLAYERS = sayings({
  person: "A person",
  child: "Child, a computer",
  regular: "Regular, a computer",
  shark: "Shark, a computer",
});

/** Levels of the computer. */
export const LEVELS = sayings({
  child: "plays any card that fits, and overlooks points",
  regular: "keeps the best hand and takes the most points at once, whatever the board",
  shark: "works out what you may hold, and plays for the zones of the board",
});

/**
 * Return the name of a seat: the name of its side, with the number of the seat if partners share the side.
 *
 * @param {number} seat
 * @param {{name: string} | undefined} side
 * @param {boolean} partners
 */
export function seatName(seat, side, partners) {
  if (!side) return say("Seat {seat}", { seat });
  return partners ? say("{name}, seat {seat}", { name: side.name, seat }) : side.name;
}
