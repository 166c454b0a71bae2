// @ts-check
/**
 * The board for a television: no buttons, everything large, a sign for each event. A tap or the key F
 * fills the screen.
 */

import { DemoScreen, NO_DEMO, demoBanner } from "./cards/demo.js";
import { CONNECTION, matchWords } from "./i18n/labels.js";
import { say } from "./i18n/language.js";
import { Stream } from "./net/stream.js";
import { Sound } from "./sound/sound.js";
import { EventLog } from "./table/event_log.js";
import { showPositions } from "./table/positions.js";
import { drawSheet } from "./table/sheet.js";
import { Signs } from "./table/signs.js";
import { bannerWords, handWords } from "./table/standing.js";
import { fetchAbout, readAbout } from "./ui/about.js";
import { write } from "./ui/dom.js";
import { codeImage } from "./ui/qr_codes.js";

/** @param {string} where */
const find = (where) => /** @type {HTMLElement} */ (document.querySelector(where));

const aboutText = await fetchAbout();
const about = readAbout(aboutText);
const light = await drawSheet(find(".sheet"), about);
const screen = new DemoScreen(find("#demo"), find("#caption"), about);
const eventLog = new EventLog(find("#events"), about);
/** Number of the newest entry when the stream was opened: it has no sign. */
let history = 0;
const sound = new Sound(about.language);
const signs = new Signs(find("#sign"), about.teams);
find(".join-code").hidden = about.pages.length === 0;
if (about.pages.length) find(".join-code").prepend(codeImage("", say("Scan to join")));
addEventListener("keydown", ({ key }) => key === "f" && fill());
find(".sheet").addEventListener("dblclick", fill);

new Stream("/api/stream", {
  hello: (_, seq) => {
    history = seq;
    sound.begin(seq);
    light.reset();
    reloadIfChanged();
  },
  frame: (text) => light.show(text),
  news: show,
  entry: (entry) => {
    eventLog.add(entry);
    if (entry.seq > history) signs.add(entry.events);
    sound.add(entry);
  },
  state: (state) => {
    find("#connection").dataset.state = state;
    write(document, "#connection", CONNECTION[state]);
  },
});

/** Reload if the server was restarted with another board or other teams. */
async function reloadIfChanged() {
  if ((await fetchAbout()) !== aboutText) location.reload();
}

/** Fill the screen, or leave it. */
function fill() {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen();
}

/** @param {import("./main.js").News} news */
function show({ table: game, match, mode, cards, demo = null }) {
  const table = demo?.table ?? game;
  const dealt = cards?.shown ? { ...NO_DEMO, table: game, cards: cards.shown } : null;
  const banner = demo ? demoBanner(demo, about.teams) : bannerWords(mode, game.winner, match, about.teams);
  find("main").dataset.screen = demo ? "demo" : dealt ? "cards" : "game";
  showPositions(find("#scores"), Object.keys(table.teams), table.teams, about.teams);
  write(document, "#hand", handWords(table, about.teams));
  write(document, "#match", matchWords(match, about.teams));
  write(document, "#banner", banner?.head ?? "");
  write(document, "#below", banner?.below ?? "");
  screen.show(demo ?? dealt);
}
