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
 * @typedef {{points: number, kind: string | null, front: Hole, wins: boolean}} Outlook
 * @typedef {{outlooks: Outlook[], lead_five_to: number[]}} Advice
 * @typedef {Record<string, {name: string, colour: string}>} Teams
 */

/** @param {Hole | null} hole */
export function holeWords(hole) {
  if (typeof hole !== "string") return `${hole}`;
  const [path, number] = hole.split(":");
  return `${number} on the side path ${path}`;
}

/** @param {number} number @param {string} one */
export function many(number, one) {
  return number === 1 ? `1 ${one}` : `${number} ${one}s`;
}

/** @type {Record<string, (name: string, event: TableEvent, to: string) => string>} */
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
  box_moved: (name, _, to) => `${name} moves up in the box, to ${to}.`,
  released: (name, _, to) => `${name} is free again, and plays on from ${to}.`,
  forfeited: (name, { points }, to) => `${name} counts ${points}, too many: the peg stays on ${to}.`,
  overpegged: (name, { points }) => `${name} pegged ${points} too many: the count is put right.`,
  penalised: (name, { points, rule }) =>
    points ? mugginsWords(name, points, rule) : `A penalty against ${name}.`,
  claimed: (name) => `${name} is given the game.`,
  skunked: (name, { points }) =>
    `${name} is ${points === 4 ? "double-skunked" : "skunked"}: a loss counts ${points} games.`,
  won: (name, { points }) => `${name} wins, for ${many(points ?? 1, "game")}.`,
  match_won: (name) => `${name} wins the match.`,
  dealt: (_name, _, to) => `Seat ${to} deals.`,
  undone: () => "The last command is taken back.",
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
 */
export function eventWords(event, teams) {
  const name = teams[`${event.team}`]?.name ?? "The table";
  const words = SENTENCES[event.kind];
  return words ? words(name, event, holeWords(event.to)) : `${name}: ${event.kind}.`;
}

/**
 * Who leads, by progress, and by how much.
 *
 * @param {Table} table
 * @param {Teams} teams
 */
export function leaderWords(table, teams) {
  const order = Object.entries(table.teams).sort(([, a], [, b]) => b.progress - a.progress);
  const ahead = order[0][1].progress - order[1][1].progress;
  if (ahead) return `${teams[order[0][0]].name} leads by ${ahead}`;
  const level = order.filter(([, side]) => side.progress === order[0][1].progress);
  return `${level.map(([team]) => teams[team].name).join(" and ")} are level`;
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

/** @param {Table} table */
export function handWords(table) {
  return `Hand ${table.hand}, seat ${table.dealer} deals`;
}

/**
 * What a side must know of itself beside its numbers.
 *
 * @param {Side} side
 */
export function stateWords(side) {
  if (side.boxed) return `boxed, ${many(side.boxed, "hand")} to sit`;
  return side.folded ? "folded" : "";
}

/** @type {Record<string, string>} */
export const CONNECTION = {
  live: "Live",
  lost: "Connection lost, trying again",
  off: "The table is switched off; this page waits for it",
  resting: "Resting",
};
