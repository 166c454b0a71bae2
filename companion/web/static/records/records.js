// @ts-check
/**
 * The page of the records: the games so far, one of them as a chart to go through, and statistics.
 */

import { fetchAbout, readAbout } from "../ui/about.js";
import { Chart } from "./chart.js";
import { many, say } from "../i18n/language.js";
import { make, write } from "../ui/dom.js";
import { chartWords, dateWords, endWords, matchLine, nameOf } from "./game_labels.js";
import { Replay } from "./replay.js";
import { Stream } from "../net/stream.js";
import { drawSheet } from "../table/sheet.js";
import { scoped, statisticsTable } from "./statistics_table.js";
import { CONNECTION } from "../i18n/labels.js";

/** @typedef {import("./statistics_table.js").Statistics} Statistics */
/**
 * @typedef {{number: number, standing: "running" | "won" | "left", begun: number, title: string,
 *   finish: number, winner: number | null, worth: number | null, counts: number, hands: number,
 *   sides: Record<string, {name: string | null, progress: number, caught: number}>}} Game
 * @typedef {{number: number, games: number[], to: number | null, score: Record<string, number>,
 *   names: Record<string, string>, winner: number | null}} Match
 * @typedef {{game: Game, here: boolean, places: {t: number, hand: number, words: string}[],
 *   progress: Record<string, number[]>}} RecordedGame
 */

const PAGE = 10;
const NOBODY = { name: "", colour: "#d9c9a8" };

/** @param {string} id */
const find = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** @param {string} id */
const input = (id) => /** @type {HTMLInputElement} */ (find(id));

const about = readAbout(await fetchAbout());
const runs = about.right === "run";
/** The opened game. @type {RecordedGame | null} */
let told = null;
/** The numbers of the games in the list, the newest first. @type {number[]} */
let listed = [];
/** Winner of the running game in the last news. @type {number | null | undefined} */
let winner;

const light = await drawSheet(/** @type {HTMLElement} */ (document.querySelector(".sheet")), about);
const chart = new Chart(find("chart"), (at) => replay.go(at));
const replay = new Replay({ place: showPlace, plays: showPlays, lent: showLent, refused });
find("backup").hidden = !runs;
input("place").addEventListener("input", () => replay.go(Number(input("place").value)));
input("lend").addEventListener("change", () => replay.lend(input("lend").checked));
find("play").addEventListener("click", () => replay.play(!replay.plays));
find("older").addEventListener("click", () => list(listed.at(-1)));

new Stream("/api/stream", {
  hello: () => {
    light.reset();
    look();
  },
  frame: (text) => light.show(text),
  news: ({ table, mode }) => {
    replay.told(mode);
    if (winner !== undefined && winner !== table.winner) look();
    winner = table.winner;
  },
  state: (state) => {
    find("connection").dataset.state = state;
    write(document, "#connection", CONNECTION[state]);
  },
});

/** Fetch the list, the statistics and the matches again. */
async function look() {
  await list();
  const statistics = await read("/api/statistics");
  if (statistics) showStatistics(statistics);
  const matches = /** @type {Match[] | null} */ (await read("/api/matches"));
  const lines = (matches ?? []).map((match) => make("li", "", matchLine(match, about.teams)));
  find("matches").replaceChildren(...lines);
}

/**
 * Fetch a path as JSON. Show the error and return null if that fails.
 *
 * @param {string} path
 * @returns {Promise<any>}
 */
async function read(path) {
  try {
    const answer = await fetch(path);
    const value = await answer.json();
    if (answer.ok) return value;
    write(document, "#none", value.error);
  } catch {
    write(document, "#none", say("The table cannot be reached."));
  }
  return null;
}

/** @param {number} [before] the oldest game on show, where older ones are asked for */
async function list(before) {
  const older = before === undefined ? "" : `&before=${before}`;
  const found = await read(`/api/games?most=${PAGE}${older}`);
  if (!found) return;
  /** @type {Game[]} */
  const games = found.games;
  const rows = games.map(listRow);
  const place = /** @type {HTMLElement} */ (document.querySelector("#games tbody"));
  if (older) place.append(...rows);
  else place.replaceChildren(...rows);
  listed = [...(older ? listed : []), ...games.map(({ number }) => number)];
  find("older").hidden = !found.more;
  write(document, "#none", listed.length ? "" : say("No game has been played yet."));
  markListed();
}

/** @param {Game} game */
function listRow(game) {
  const row = make("tr", "");
  const open = /** @type {HTMLButtonElement} */ (make("button", "plain", `${game.number}`));
  open.type = "button";
  open.dataset.game = `${game.number}`;
  open.setAttribute("aria-label", say("Game {number}", { number: game.number }));
  open.addEventListener("click", () => openGame(game.number));
  const first = make("td", "");
  first.append(open);
  const sides = make("td", "");
  sides.append(...Object.keys(game.sides).map((team) => sideLine(game, team)));
  sides.append(make("p", "date", dateWords(game.begun)));
  row.append(first, sides, make("td", "", endWords(game, about.teams)), make("td", "figure", `${game.counts}`));
  return row;
}

/**
 * @param {Game} game
 * @param {string} team
 */
function sideLine(game, team) {
  const line = make("p", "name", `${nameOf(game, team, about.teams)} ${game.sides[team].progress}`);
  line.style.setProperty("--team", colourOf(team));
  return line;
}

/** Mark the opened game in the list. */
function markListed() {
  for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-game]"))) {
    button.setAttribute("aria-pressed", `${button.dataset.game === `${told?.game.number}`}`);
  }
}

/** @param {number} number */
async function openGame(number) {
  const found = await read(`/api/games/${number}`);
  if (!found) return;
  told = /** @type {RecordedGame} */ (found);
  const { game, progress, here, places } = told;
  markListed();
  find("game").hidden = false;
  write(document, "#game-title", say("Game {number}: {end}", { number, end: endWords(game, about.teams) }));
  const length = [many(game.counts, "{n} count", "{n} counts"), many(game.hands, "{n} hand", "{n} hands")];
  write(document, "#when", [dateWords(game.begun), game.title, ...length].join(", "));
  input("place").max = `${places.length - 1}`;
  chart.show(lines(told), game.finish, chartWords(game, about.teams));
  showTable(told);
  showWhoMay(here);
  refused("");
  find("game-title").focus({ preventScroll: true });
  find("game").scrollIntoView({ block: "start" });
  await replay.open(number, places.length - 1);
}

/** @param {boolean} here whether the game was played on the board on the table */
function showWhoMay(here) {
  /** @type {HTMLElement} */ (document.querySelector(".switch")).hidden = !(here && runs);
  const why = here
    ? say("This phone only watches: the lamps stay as they are. Join, on the table's page, lets it in.")
    : say("It was played on another board, so it is only drawn here.");
  write(document, "#lent", here && runs ? "" : why);
}

/** @param {RecordedGame} told @returns {import("./chart.js").Line[]} */
function lines({ game, progress }) {
  return Object.keys(game.sides).map((team) => ({
    team,
    name: nameOf(game, team, about.teams),
    colour: colourOf(team),
    progress: progress[team],
  }));
}

/** @param {RecordedGame} told */
function showTable({ game, places, progress }) {
  const teams = Object.keys(game.sides);
  const head = make("tr", "");
  const names = teams.map((team) => nameOf(game, team, about.teams));
  const heads = [say("Place"), say("Hand"), ...names, say("What happened")];
  head.append(...heads.map((word) => scoped("col", word)));
  const rows = places.map(({ hand, words }, at) => {
    const row = make("tr", "");
    const numbers = [hand, ...teams.map((team) => progress[team][at])];
    row.append(scoped("row", `${at}`), ...numbers.map((n) => make("td", "figure", `${n}`)));
    row.append(make("td", "", words || say("The start.")));
    return row;
  });
  find("told").querySelector("thead")?.replaceChildren(head);
  find("told").querySelector("tbody")?.replaceChildren(...rows);
}

/** @param {number} at */
function showPlace(at) {
  if (!told) return;
  const { game, places, progress } = told;
  const { hand, words } = places[at];
  const stands = Object.keys(game.sides).map((team) => `${nameOf(game, team, about.teams)} ${progress[team][at]}`);
  const where = say("{at} of {last}", { at, last: replay.last });
  input("place").value = `${at}`;
  input("place").setAttribute("aria-valuetext", `${where}: ${stands.join(", ")}`);
  write(document, "#at", where);
  write(document, "#words", say("Hand {hand}: {words}", { hand, words: words || say("the start.") }));
  chart.mark(at);
}

/** @param {boolean} plays */
function showPlays(plays) {
  write(document, "#play", plays ? say("Pause") : say("Play"));
}

/** @param {boolean} lent */
function showLent(lent) {
  input("lend").checked = lent;
  /** @type {HTMLElement} */ (document.querySelector(".sheet")).hidden = !lent;
  if (told?.here && runs) {
    const words = say("The lamps show it: any press at the table goes back to the running game.");
    write(document, "#lent", lent ? words : "");
  }
}

/** @param {string} text */
function refused(text) {
  write(document, "#refusal", text);
}

/** @param {{games: number, sides: Record<string, Statistics>, names: Record<string, Statistics>}} statistics */
function showStatistics({ games, sides, names }) {
  const of = games
    ? many(games, "Of {n} game played to the end.", "Of {n} games played to the end.")
    : say("No game has been won yet.");
  write(document, "#of", of);
  const bySide = Object.entries(sides).map(([team, statistics]) => ({
    label: about.teams[team]?.name ?? say("Side {team}", { team }),
    colour: colourOf(team),
    statistics,
  }));
  const byName = Object.entries(names).map(([label, statistics]) => ({ label, colour: NOBODY.colour, statistics }));
  const tables = [];
  if (bySide.length) tables.push(statisticsTable(say("By side"), bySide));
  if (byName.length) tables.push(statisticsTable(say("By name"), byName));
  find("tallies").replaceChildren(...tables);
  find("unknown").hidden = !bySide.length;
}

/** @param {string} team */
function colourOf(team) {
  return (about.teams[team] ?? NOBODY).colour;
}
