// @ts-check
/**
 * Labels of holes, of the standing and of the match. All functions return plain text, to be shown
 * with `textContent`; the commentary on events comes from the table (table/event_log.js).
 */

import { facts } from "../ui/about.js";
import { fill, locale, say, sayings } from "./language.js";

/** @typedef {number | string} Hole */

/**
 * Return the labels of a hole of a side path, in short, by its path and in words; null for a hole of
 * the track.
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
 * Return the sides with their names, the one with the most progress first.
 *
 * @param {Api.TableResponse} table
 * @param {Record<string, Api.SideLabel>} labels
 */
function ranking(table, labels) {
  return Object.entries(table.teams)
    .map(([side, { progress }]) => ({ side, name: labels[side].name, progress }))
    .sort((a, b) => b.progress - a.progress);
}

/**
 * Return the hole of each side.
 *
 * @param {Api.TableResponse} table
 * @param {Record<string, Api.SideLabel>} labels
 */
export function standingWords({ teams: sides }, labels) {
  const places = Object.entries(sides).map(([side, { front }]) => `${labels[side].name} ${holeWords(front)}`);
  return `${places.join(", ")}.`;
}

/**
 * Return the leader or the winner with the lead; a game given away has no lead.
 *
 * @param {Api.TableResponse} table
 * @param {Record<string, Api.SideLabel>} labels
 */
export function leaderWords(table, labels) {
  const order = ranking(table, labels);
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
 * Return the score of the match with its goal or winner; "" before the first of single games is won.
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
 * @param {Record<string, string>} [words] of its states
 */
export function connectionWords({ state, at }, words = CONNECTION) {
  if (state !== "lost" || !at) return words[state];
  return say("Not current since {time}", { time: at.toLocaleTimeString(locale()) });
}

/** The name of a side's score pad. @param {string} name of the side */
export function padWords(name) {
  return say("{name}'s score pad", { name });
}

/** Kinds of players. */
export const PLAYERS = sayings({
  person: "A person",
  child: "Child, a computer",
  regular: "Regular, a computer",
  shark: "Shark, a computer",
});

/** Levels of the computer, in words. */
export const LEVELS = sayings({
  child: "plays any card that fits, and overlooks points",
  regular: "keeps the best hand and takes the most points at once, whatever the board",
  shark: "works out what you may hold, and plays for the zones of the board",
});

/**
 * Return the name of a seat: that of its side, and the seat where partners share it.
 *
 * @param {number} seat
 * @param {{name: string} | undefined} side
 * @param {boolean} partners
 */
export function seatName(seat, side, partners) {
  if (!side) return say("Seat {seat}", { seat });
  return partners ? say("{name}, seat {seat}", { name: side.name, seat }) : side.name;
}
