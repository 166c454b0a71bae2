// @ts-check
/**
 * What happened, in words. Everything here gives plain text; who shows it uses `textContent`.
 */

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
 * What players call the side paths, by the kind of zone that starts their id.
 *
 * @type {Record<string, string>}
 */
const PATHS = { trap: "on the blue path", green: "on the green path" };

/**
 * A hole of a side path, in short and in words; null for a hole of the track.
 *
 * @param {Hole | null} hole
 */
export function onPath(hole) {
  if (typeof hole !== "string") return null;
  const [zone, number] = hole.split(":");
  const [kind] = zone.split("-");
  const where = Object.hasOwn(PATHS, kind) ? PATHS[kind] : "";
  return { short: `${where ? kind : "path"} ${number}`, number, where: where || "on a side path" };
}

/** @param {Hole | null} hole */
export function holeWords(hole) {
  const path = onPath(hole);
  return path ? `${path.number} ${path.where}` : `${hole}`;
}

/** @param {number} number @param {string} one */
export function many(number, one) {
  return number === 1 ? `1 ${one}` : `${number} ${one}s`;
}

/**
 * @type {Record<string, (name: string, event: TableEvent, to: string, teams: Teams,
 *   around: Around) => string>}
 */
const SENTENCES = {
  counted: (name, { points, from }, to) =>
    `${name} counts ${points}: from ${holeWords(from)} to ${to}.`,
  slid: (name, { from }, to) => `${name} slides on red from ${holeWords(from)} to ${to}.`,
  trapped: (name, _, to) => `${name} is in a time trap on ${to}: the next count takes the blue path.`,
  advanced: (name, _, to) => `${name} is on green on ${to}: the next count takes the short cut.`,
  folded: (name, _, to) => `${name} is in a penalty box on ${to}, and folds hand and crib.`,
  boxed: (name, { points }) => `${name} sits out ${many(points ?? 0, "hand")} in the box.`,
  sent_back: (name, { points }, to) => `${name} goes back ${points}, to ${to}.`,
  awarded: (name, { points }, to) => `${name} is awarded ${points}, and goes on to ${to}.`,
  skipped: (name, _, to) => `${name} may not end there: on to ${to}.`,
  box_moved: (name, event, to) =>
    event.from === event.to
      ? `${name} serves a hand on ${to}.`
      : `${name} moves up in the box, to ${to}.`,
  released: (name, _, to) => `${name} is free again, and plays on from ${to}.`,
  forfeited: (name, { points }, to) => `${name} counts ${points}, too many: the peg stays on ${to}.`,
  overpegged: (name, { points }) => `${name} pegged ${points} too many: the count is put right.`,
  penalised: (name, { points, rule }) =>
    points ? mugginsWords(name, points, rule) : `A penalty against ${name}.`,
  claimed: (name) => `${name} is given the game.`,
  skunked: (name, { points }, _to, teams, { table }) =>
    `${name} is ${points === 4 ? "double-skunked" : "skunked"}: ` +
    `if ${leaderName(table, teams)} wins, it counts ${points} games.`,
  won: (name, { points }) => `${name} wins, for ${many(points ?? 1, "game")}.`,
  match_won: (name) => `${name} wins the match.`,
  dealt: (name, { to }, _to, teams, { table }) =>
    Number(to) > Object.keys(table?.teams ?? teams).length
      ? `${name} deals, seat ${to}.`
      : `${name} deals.`,
  undone: (_name, _event, _to, teams, { undone = [], ...around }) =>
    undone.length
      ? `Taken back: ${undone.map((event) => eventWords(event, teams, around)).join(" ")}`
      : "The last command is taken back.",
};

/**
 * @param {string} name who erred
 * @param {number} points
 * @param {string | null} rule M2: too many were counted; M3: the points are given back
 */
function mugginsWords(name, points, rule) {
  if (rule === "M2") return `Muggins: ${name} counted ${points} too many.`;
  if (rule === "M3") return `Muggins: ${name} erred by ${points}; the points are given back.`;
  return `Muggins: ${name} missed ${many(points, "point")}.`;
}

/**
 * @param {TableEvent} event
 * @param {Teams} teams
 * @param {Around} around
 */
export function eventWords(event, teams, around = {}) {
  const name = teams[`${event.team}`]?.name ?? "The table";
  const words = SENTENCES[event.kind];
  return words ? words(name, event, holeWords(event.to), teams, around) : `${name}: ${event.kind}.`;
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
  return first ? first.name : "the leader";
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
    const won = `${teams[`${table.winner}`].name} has won`;
    return ahead && order[0].team === `${table.winner}` ? `${won} by ${ahead}` : won;
  }
  if (ahead) return `${order[0].name} leads by ${ahead}`;
  const level = order.filter(({ progress }) => progress === order[0].progress);
  return `${level.map(({ name }) => name).join(" and ")} are level`;
}

/**
 * What the games so far are played for, if for more than themselves.
 *
 * @param {Match} match
 * @param {Teams} teams
 */
export function matchWords({ to, winner }, teams) {
  if (winner !== null) return `${teams[`${winner}`].name} has won the match`;
  return to === null ? "" : `The match goes to ${many(to, "game")}`;
}

/** @type {Record<string, string>} */
export const CONNECTION = {
  live: "Live",
  lost: "Connection lost, trying again",
  off: "The table is switched off; this page waits for it",
  resting: "Resting",
};
