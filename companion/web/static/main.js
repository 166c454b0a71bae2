// @ts-check
/**
 * The page: one stream feeds the lamps, the panel and the words; the panel's fingers answer.
 */

import { Adviser } from "./adviser.js";
import { BoardLight } from "./board.js";
import { Fingers } from "./fingers.js";
import { Panel, make, write } from "./panel.js";
import { post } from "./post.js";
import { Referee } from "./referee.js";
import { Stream } from "./stream.js";
import { CONNECTION, eventWords, handWords, leaderWords, matchWords } from "./words.js";

/** @typedef {import("./words.js").TableEvent} TableEvent */
/**
 * @typedef {{seq: number, table: import("./words.js").Table, match: import("./words.js").Match,
 *   events: TableEvent[], notices: string[], saved: boolean, feedback: string | null}} News
 */

const COLOUR = /^#[0-9a-f]{6}$/i;
/** What the table says when a press was refused that would be right after a deal. */
const DEAL_HINT = "press Deal";

/** @param {string} id */
const find = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** @param {string} id */
const canvas = (id) => /** @type {HTMLCanvasElement} */ (find(id));

const aboutText = await fetchAbout();
const about = JSON.parse(aboutText);
for (const team of Object.values(about.teams)) {
  if (!COLOUR.test(team.colour)) team.colour = "#ffffff";
}
let viewer = 0;
/** What the list of events was last made from. */
let told = "";
/** The sides that play. @type {string[]} */
let playing = [];

const light = new BoardLight({ holes: canvas("holes"), glow: canvas("glow") }, about);
const panel = new Panel(find("panel"), about, new Fingers(hold));
const referee = new Referee(/** @type {HTMLDialogElement} */ (find("referee")));
const adviser = new Adviser(/** @type {HTMLInputElement} */ (find("adviser")), (advice) =>
  panel.advise(advice),
);
find("ask").hidden = !about.press;
find("ask").addEventListener("click", () => referee.open(sides()));
document.documentElement.style.setProperty("--aspect", `${about.width_mm / about.height_mm}`);

new Stream("/api/stream", {
  hello: (number) => {
    viewer = number;
    light.reset();
    reloadIfChanged();
  },
  frame: (text) => light.show(text),
  news: show,
  state: (state) => {
    find("connection").dataset.state = state;
    write(document, "#connection", CONNECTION[state]);
  },
});

/** The server may have been started anew with another board or other teams. */
async function reloadIfChanged() {
  if ((await fetchAbout()) !== aboutText) location.reload();
}

/** What the table tells about itself, as soon as it can be reached. */
async function fetchAbout() {
  for (;;) {
    try {
      const answer = await fetch("/api/about");
      if (answer.ok) return await answer.text();
    } catch {
      // The network may be back in a moment.
    }
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

/** The sides that play, for the referee to choose among. */
function sides() {
  return playing.map((team) => {
    const { name, colour } = about.teams[team];
    return { value: team, label: name, colour };
  });
}

/** @param {News} news */
function show({ table, match, events, notices, saved, feedback }) {
  playing = Object.keys(table.teams);
  panel.show(table.teams, match);
  panel.hint(feedback?.includes(DEAL_HINT) ?? false);
  adviser.refresh();
  write(document, "#hand", handWords(table));
  write(document, "#leader", leaderWords(table, about.teams));
  write(document, "#match", matchWords(match, about.teams));
  write(document, "#feedback", feedback ?? "");
  find("unsaved").hidden = saved;
  tell(table.seq, events);
  find("notices").replaceChildren(...notices.map((line) => make("li", "", line)));
  showWinner(table.winner);
}

/**
 * @param {number} seq
 * @param {TableEvent[]} events
 */
function tell(seq, events) {
  const now = JSON.stringify([seq, events]);
  if (now === told) return;
  told = now;
  find("events").replaceChildren(...events.map(line));
}

/** @param {TableEvent} event */
function line(event) {
  const item = make("li", "", eventWords(event, about.teams));
  const team = about.teams[`${event.team}`];
  if (team) item.style.setProperty("--team", team.colour);
  if (event.rule) item.append(" ", make("span", "rule", event.rule));
  return item;
}

/** @param {number | null} winner */
function showWinner(winner) {
  const banner = find("banner");
  banner.hidden = winner === null;
  if (winner === null) return;
  const { name, colour } = about.teams[`${winner}`];
  banner.style.setProperty("--team", colour);
  write(document, "#banner", `${name} wins`);
}

/**
 * @param {string} button
 * @param {boolean} down
 */
async function hold(button, down) {
  const refusal = await post("/api/hold", { button, down, viewer });
  if (refusal) write(document, "#feedback", refusal);
}
