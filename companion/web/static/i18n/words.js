// @ts-check
/**
 * What happened, in words. Everything here gives plain text; who shows it uses `textContent`.
 */

import { many, say, sayings } from "./language.js";

/**
 * @typedef {number | string} Hole
 * @typedef {{kind: string, team: number | null, from: Hole | null, to: Hole | null,
 *   points?: number, rule: string | null}} TableEvent
 * @typedef {{front: Hole, back: Hole, boxed: number, folded: boolean, pending: number,
 *   progress: number}} Side
 * @typedef {{seq: number, teams: Record<string, Side>, dealer: number, hand: number,
 *   winner: number | null}} Table
 * @typedef {{games: Record<string, number>, to: number | null, winner: number | null}} Match
 * @typedef {Record<string, {name: string, colour: string}>} Teams
 * @typedef {{table?: Table, undone?: TableEvent[]}} Around what was told along with an event
 */

/**
 * What players call the holes of the side paths, by the kind of zone that starts their id.
 *
 * @typedef {{short: string, where: string, hole: string}} OnPath in short, which path, in words
 * @type {Record<string, (number: string) => OnPath>}
 */
const PATHS = {
  trap: (number) => ({
    short: say("trap {number}", { number }),
    where: say("on the blue path"),
    hole: say("{number} on the blue path", { number }),
  }),
  green: (number) => ({
    short: say("green {number}", { number }),
    where: say("on the green path"),
    hole: say("{number} on the green path", { number }),
  }),
};

/** @param {string} number @returns {OnPath} */
const otherPath = (number) => ({
  short: say("path {number}", { number }),
  where: say("on a side path"),
  hole: say("{number} on a side path", { number }),
});

/**
 * A hole of a side path in words; null for a hole of the track.
 *
 * @param {Hole | null} hole
 */
export function onPath(hole) {
  if (typeof hole !== "string") return null;
  const [zone, number] = hole.split(":");
  const [kind] = zone.split("-");
  return (Object.hasOwn(PATHS, kind) ? PATHS[kind] : otherPath)(number);
}

/** @param {Hole | null} hole */
export function holeWords(hole) {
  return onPath(hole)?.hole ?? `${hole}`;
}

/**
 * @type {Record<string, (name: string, event: TableEvent, to: string, teams: Teams,
 *   around: Around) => string>}
 */
const SENTENCES = {
  counted: (name, { points, from }, to) =>
    say("{name} counts {points}: from {from} to {to}.", { name, points, from: holeWords(from), to }),
  slid: (name, { from }, to) =>
    say("{name} slides on red from {from} to {to}.", { name, from: holeWords(from), to }),
  trapped: (name, _, to) =>
    say("{name} is in a time trap on {to}: the next count takes the blue path.", { name, to }),
  advanced: (name, _, to) =>
    say("{name} is on green on {to}: the next count takes the short cut.", { name, to }),
  folded: (name, _, to) =>
    say("{name} is in a penalty box on {to}, and folds hand and crib.", { name, to }),
  boxed: (name, { points = 0 }) =>
    many(points, "{name} sits out {n} hand in the box.", "{name} sits out {n} hands in the box.", { name }),
  sent_back: (name, { points }, to) => say("{name} goes back {points}, to {to}.", { name, points, to }),
  awarded: (name, { points }, to) =>
    say("{name} is awarded {points}, and goes on to {to}.", { name, points, to }),
  skipped: (name, _, to) => say("{name} may not end there: on to {to}.", { name, to }),
  box_moved: (name, event, to) =>
    event.from === event.to
      ? say("{name} serves a hand on {to}.", { name, to })
      : say("{name} moves up in the box, to {to}.", { name, to }),
  released: (name, _, to) => say("{name} is free again, and plays on from {to}.", { name, to }),
  forfeited: (name, { points }, to) =>
    say("{name} counts {points}, too many: the peg stays on {to}.", { name, points, to }),
  overpegged: (name, { points }) =>
    say("{name} pegged {points} too many: the count is put right.", { name, points }),
  penalised: (name, { points, rule }) =>
    points ? mugginsWords(name, points, rule) : say("A penalty against {name}.", { name }),
  claimed: (name) => say("{name} is given the game.", { name }),
  skunked: (name, { points }, _to, teams, { table }) => {
    const values = { name, points, leader: leaderName(table, teams) };
    return points === 4
      ? say("{name} is double-skunked: if {leader} wins, it counts {points} games.", values)
      : say("{name} is skunked: if {leader} wins, it counts {points} games.", values);
  },
  won: (name, { points = 1 }) =>
    many(points, "{name} wins, for {n} game.", "{name} wins, for {n} games.", { name }),
  match_won: (name) => say("{name} wins the match.", { name }),
  dealt: (name, { to: seat }, _to, teams, { table }) =>
    Number(seat) > Object.keys(table?.teams ?? teams).length
      ? say("{name} deals, seat {seat}.", { name, seat })
      : say("{name} deals.", { name }),
  undone: (_name, _event, _to, teams, { undone = [], ...around }) => {
    const events = undone.map((event) => eventWords(event, teams, around)).join(" ");
    return events ? say("Taken back: {events}", { events }) : say("The last command is taken back.");
  },
};

/**
 * @param {string} name who erred
 * @param {number} points
 * @param {string | null} rule M2: too many were counted; M3: the points are given back
 */
function mugginsWords(name, points, rule) {
  const values = { name, points };
  if (rule === "M2") return say("Muggins: {name} counted {points} too many.", values);
  if (rule === "M3") return say("Muggins: {name} erred by {points}; the points are given back.", values);
  return many(points, "Muggins: {name} missed {n} point.", "Muggins: {name} missed {n} points.", values);
}

/**
 * @param {TableEvent} event
 * @param {Teams} teams
 * @param {Around} around
 */
export function eventWords(event, teams, around = {}) {
  const name = teams[`${event.team}`]?.name ?? say("The table");
  const words = SENTENCES[event.kind];
  return words ? words(name, event, holeWords(event.to), teams, around) : say("{name}: {kind}.", { name, kind: event.kind });
}

/**
 * The sides with their names, those with the most progress first.
 *
 * @param {Table} table
 * @param {Teams} teams
 */
function ranking(table, teams) {
  return Object.entries(table.teams)
    .map(([team, { progress }]) => ({ team, name: teams[team].name, progress }))
    .sort((a, b) => b.progress - a.progress);
}

/**
 * @param {Table | undefined} table
 * @param {Teams} teams
 */
function leaderName(table, teams) {
  const first = table && ranking(table, teams)[0];
  return first ? first.name : say("the leader");
}

/**
 * Who leads, or has won, and by how much progress; a game given away has no lead to tell.
 *
 * @param {Table} table
 * @param {Teams} teams
 */
export function leaderWords(table, teams) {
  const order = ranking(table, teams);
  const ahead = order[0].progress - order[1].progress;
  if (table.winner !== null) {
    const { name } = teams[`${table.winner}`];
    return ahead && order[0].team === `${table.winner}`
      ? say("{name} has won by {ahead}", { name, ahead })
      : say("{name} has won", { name });
  }
  if (ahead) return say("{name} leads by {ahead}", { name: order[0].name, ahead });
  const level = order.filter(({ progress }) => progress === order[0].progress).map(({ name }) => name);
  const names = level.reduce((first, last) => say("{first} and {last}", { first, last }));
  return say("{names} are level", { names });
}

/**
 * What the games so far are played for, if for more than themselves.
 *
 * @param {Match} match
 * @param {Teams} teams
 */
export function matchWords({ to, winner }, teams) {
  if (winner !== null) return say("{name} has won the match", { name: teams[`${winner}`].name });
  return to === null ? "" : many(to, "The match goes to {n} game", "The match goes to {n} games");
}

/** @type {Record<string, string>} */
export const CONNECTION = sayings({
  live: "Live",
  lost: "Connection lost, trying again",
  off: "The table is switched off; this page waits for it",
  resting: "Resting",
});

/** Who may sit at a seat. @type {Record<string, string>} */
export const PLAYERS = sayings({ person: "person", child: "child", regular: "regular", shark: "shark" });
