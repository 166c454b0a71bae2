// @ts-check
/**
 * The page: one stream feeds the lamps, the panel and the words; the panel's fingers answer.
 */

import { Adviser } from "./adviser.js";
import { BoardLight } from "./board.js";
import { Dealing } from "./dealing.js";
import { DemoScreen, demoBanner } from "./demo.js";
import { Fingers } from "./fingers.js";
import { Panel, make, write } from "./panel.js";
import { post } from "./post.js";
import { Referee } from "./referee.js";
import { bannerWords, handWords } from "./standing.js";
import { Story } from "./story.js";
import { Stream } from "./stream.js";
import { CONNECTION, leaderWords, matchWords } from "./words.js";

/** @typedef {import("./words.js").TableEvent} TableEvent */
/**
 * @typedef {{seq: number, table: import("./words.js").Table, match: import("./words.js").Match,
 *   events: TableEvent[], notices: string[], saved: boolean, feedback: string | null,
 *   boxes?: Record<string, import("./standing.js").Box>, undone?: TableEvent[],
 *   mode?: import("./standing.js").Mode | null, demo?: import("./demo.js").Demo | null,
 *   seats: number, cards: object | null}} News
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
/** The sides that play. @type {string[]} */
let playing = [];
/** Whether the board plays by itself. */
let demoPlays = false;

const light = new BoardLight({ holes: canvas("holes"), glow: canvas("glow") }, about);
const panel = new Panel(find("panel"), about, new Fingers(hold));
const story = new Story(find("events"), find("earlier"), about.teams);
const screen = new DemoScreen(find("demo"), find("caption"), about);
const referee = new Referee(/** @type {HTMLDialogElement} */ (find("referee")));
const adviser = new Adviser(/** @type {HTMLInputElement} */ (find("adviser")), (advice) =>
  panel.advise(advice),
);
find("ask").hidden = !about.press;
find("ask").addEventListener("click", () => referee.open(sides()));
const dealing = new Dealing(/** @type {HTMLDialogElement} */ (find("dealing")));
find("deal-cards").hidden = !about.press;
find("deal-cards").addEventListener("click", () => dealing.open());
find("play").hidden = !about.press;
find("play").addEventListener("click", () => send("/api/demo", { on: !demoPlays }));
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
function show(news) {
  const { table, match, events, notices, saved, feedback, boxes = {}, undone = [] } = news;
  playing = Object.keys(table.teams);
  panel.show(table.teams, match, boxes);
  panel.hint(feedback?.includes(DEAL_HINT) ?? false);
  write(document, "#leader", leaderWords(table, about.teams));
  write(document, "#match", matchWords(match, about.teams));
  write(document, "#feedback", feedback ?? "");
  find("unsaved").hidden = saved;
  story.tell(table, events, undone);
  find("notices").replaceChildren(...notices.map((line) => make("li", "", line)));
  dealing.show(news.seats, news.cards);
  showScreen(news);
}

/**
 * The game's screen or the demo's, and what both have in common.
 *
 * @param {News} news
 */
function showScreen({ table, mode, demo = null }) {
  if (demo && !demoPlays) referee.dialog.close();
  demoPlays = demo !== null;
  /** @type {HTMLElement} */ (document.querySelector("main")).dataset.screen = demo ? "demo" : "game";
  find("panel").classList.toggle("sign-up", mode?.state === "sign-up");
  write(document, "#play", demo ? "End the demo" : "Demo");
  write(document, "#hand", handWords(demo?.table ?? table, about.teams));
  showBanner(demo ? demoBanner(demo, about.teams) : bannerWords(mode, table.winner, about.teams));
  screen.show(demo);
  if (!demo) adviser.refresh();
}

/** @param {import("./standing.js").Banner | null} banner */
function showBanner(banner) {
  const { head = "", below = "", team = "" } = banner ?? {};
  const place = find("over");
  place.hidden = banner === null;
  place.style.setProperty("--team", about.teams[team]?.colour ?? "");
  write(document, "#banner", head);
  write(document, "#below", below);
}

/**
 * @param {string} button
 * @param {boolean} down
 */
function hold(button, down) {
  return send("/api/hold", { button, down, viewer });
}

/**
 * Ask something of the table; why it refuses stands where refused presses are told of.
 *
 * @param {string} path
 * @param {object} value
 */
async function send(path, value) {
  const refusal = await post(path, value);
  if (refusal) write(document, "#feedback", refusal);
}
