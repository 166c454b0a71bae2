// @ts-check
/**
 * The board's page: the stream feeds lamps, panel and text; the panel's buttons press the mock ones.
 */

import { fetchAbout, readAbout } from "./ui/about.js";
import { Announcements } from "./table/announcements.js";
import { AdviceSwitch } from "./table/advice_switch.js";
import { countWords } from "./cards/count_form.js";
import { Dealing } from "./cards/dealing.js";
import { DemoScreen, NO_DEMO, demoBanner, onTable } from "./cards/demo.js";
import { EventLog } from "./table/event_log.js";
import { Feedback } from "./table/feedback.js";
import { JoinRequests } from "./pairing/join_requests.js";
import { ButtonInput } from "./table/button_input.js";
import { drawGuide } from "./guide/guide.js";
import { Join } from "./pairing/join.js";
import { say } from "./i18n/language.js";
import { make, write } from "./ui/dom.js";
import { nightWords } from "./table/night.js";
import { Panel } from "./table/panel.js";
import { takeReopening } from "./pairing/let_phones_in.js";
import { Phones } from "./pairing/phones.js";
import { post } from "./net/post.js";
import { HAND_PATH, OWN_HAND, recall } from "./net/storage.js";
import { showSetupLinks } from "./settings/setup_link.js";
import { bannerWords, handWords } from "./table/standing.js";
import { drawSheet } from "./table/sheet.js";
import { Sound } from "./sound/sound.js";
import { Stream } from "./net/stream.js";
import { Taps, tapWords } from "./table/taps.js";
import { ViewDialog } from "./table/view_dialog.js";
import { CONNECTION, leaderWords, matchWords } from "./i18n/labels.js";

/**
 * @typedef {{seq: number, table: import("./i18n/labels.js").Table, match: import("./i18n/labels.js").Match,
 *   notices: string[], saved: boolean, feedback: string | null,
 *   hint: import("./table/feedback.js").Hint | null,
 *   boxes?: Record<string, import("./table/standing.js").Box>, win_chances?: Record<string, number> | null,
 *   mode?: import("./table/standing.js").Mode | null, demo?: import("./cards/demo.js").Demo | null,
 *   night?: import("./table/night.js").Night | null, seats: number, cards: (import("./cards/count_form.js").Counts & {cut: string, shown: import("./cards/demo.js").Cards | null}) | null, joining: import("./pairing/join_requests.js").Joining | null}} News
 */


/** @param {string} id */
const find = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** @param {string} id */
const dialog = (id) => /** @type {HTMLDialogElement} */ (find(id));

const aboutText = await fetchAbout();
const about = readAbout(aboutText);
const runs = about.right === "run";
showSetupLinks(about);
let viewer = 0;
/** The table in the last news. @type {import("./i18n/labels.js").Table | undefined} */
let table;
/** The line on the cut for deal that was told last. */
let cutTold = "";
/** True while a demo plays. */
let demoPlays = false;
/** True until the dialog about phones is open again, after the table was started anew for them. */
let reopens = takeReopening();

const light = await drawSheet(/** @type {HTMLElement} */ (document.querySelector(".sheet")), about, find("zoom"));
const taps = new Taps(
  about.run,
  {
    changed: () => {
      if (taps.stuck) feedback.note(say("Not sent yet, trying again: {taps}", { taps: tapWords(taps.waiting) }));
    },
    answered: () => {},
    lost: (why) => feedback.show(why),
  },
  () => ({ viewer }),
);
const panel = new Panel(find("panel"), about, new ButtonInput((tap) => taps.press(tap)));
const screen = new DemoScreen(find("demo"), find("caption"), about);
const feedback = new Feedback(find("feedback"), (team, words) => panel.hint(team, words));
const adviceSwitch = new AdviceSwitch(/** @type {HTMLInputElement} */ (find("adviser")), (advice) =>
  panel.advise(advice),
);
const referee = onDemand(() => import("./table/referee.js"), ({ Referee }) => new Referee(dialog("referee")));
const correction = onDemand(() => import("./table/corrections.js"), ({ Correction }) => new Correction(dialog("correction")));
const placing = onDemand(() => import("./table/corrections.js"), ({ Placing }) => new Placing(dialog("placing")));
const correct = (/** @type {number} */ seq) => correction((opened) => opened.open(sides(), seq));
const sound = new Sound(about.language);
const view = new ViewDialog(dialog("view"), sound);
const eventLog = new EventLog(find("events"), about, { correct: runs ? correct : null });
const announcements = new Announcements(find("announced"), about.teams);
const dealing = new Dealing(dialog("dealing"), about);
const phones = new Phones(dialog("phones"), about);
const joinRequests = new JoinRequests(document.querySelectorAll(".join-request"), about.near, about.teams, () => phones.look());
offer("new-game", runs, () => {});
offer("ask", runs, () => referee((opened) => opened.open(sides())));
offer("correct", runs, () => correction((opened) => opened.open(sides())));
offer("place", runs, () => placing((opened) => opened.open(sides())));
offer("play-computer", runs, () => dealing.open(true));
offer("deal-cards", runs, () => dealing.open(false));
offer("play", runs, () => send("/api/demo", { on: !demoPlays }));
offer("see-view", true, () => view.open());
offer("see-phones", true, () => phones.open(playing()));
offer("join-in", !runs, openJoining);
dialog("joining").querySelector(".close")?.addEventListener("click", () => dialog("joining").close());
find("own-pad").hidden = about.near;

const guide = drawGuide(find("guide"), {
  about,
  actions: { demo: () => send("/api/demo", { on: true }), play: () => dealing.open(true) },
  openers: { help: find("help"), game: find("new-game") },
});

new Stream("/api/stream", {
  hello: (number, seq) => {
    const first = !viewer;
    viewer = number;
    announcements.begin(seq);
    sound.begin(seq);
    if (first) taps.resume();
    else reloadIfChanged();
    light.reset();
  },
  frame: (text) => light.show(text),
  news: show,
  entry: (entry) => {
    eventLog.add(entry);
    announcements.add(entry, table);
    sound.add(entry);
  },
  state: (state) => {
    find("connection").dataset.state = state;
    write(document, "#connection", CONNECTION[state]);
  },
});

/**
 * Return a call that loads a module when it is first used, makes an object of it, and acts on that.
 *
 * @template Module, Made
 * @param {() => Promise<Module>} load
 * @param {(module: Module) => Made} create
 * @returns {(act: (made: Made) => void) => void}
 */
function onDemand(load, create) {
  /** @type {Made | undefined} */
  let made;
  return async (act) => {
    try {
      made ??= create(await load());
    } catch {
      return feedback.show(say("The table cannot be reached."));
    }
    act(made);
  };
}

/** Reload if the server was restarted with another board or other teams. */
async function reloadIfChanged() {
  if ((await fetchAbout()) !== aboutText) location.reload();
}

/**
 * Show a control to those who may use it, and bind it.
 *
 * @param {string} id
 * @param {boolean} may
 * @param {() => void} act
 */
function offer(id, may, act) {
  find(id).hidden = !may;
  find(id).addEventListener("click", act);
}

/** Ask to let this phone run the table; the page then has more controls. */
function openJoining() {
  const place = /** @type {HTMLElement} */ (dialog("joining").querySelector(".join"));
  if (!place.childElementCount) new Join(place, "run", () => location.reload());
  dialog("joining").showModal();
}

/** Return the sides that play. */
function playing() {
  return Object.keys(table?.teams ?? {});
}

/** Return the sides that play as options of the referee's forms. */
function sides() {
  return playing().map((team) => {
    const { name, colour } = about.teams[team];
    return { value: team, label: name, colour };
  });
}

/**
 * Tell the cut for deal in the log, once.
 *
 * @param {string} cut
 */
function tellCut(cut) {
  if (cut && cut !== cutTold) eventLog.add({ seq: 0, line: cut, events: [], undone: [] });
  cutTold = cut;
}

/** @param {News} news */
function show(news) {
  const { match, notices, saved, hint, boxes = {}, joining } = news;
  table = news.table;
  panel.show(table.teams, match, boxes, table.winner === null && !news.demo ? news.win_chances ?? null : null);
  feedback.tell(news, table.teams);
  panel.suggestDeal(hint?.kind === "deal-forgotten");
  write(document, "#leader", leaderWords(table, about.teams));
  write(document, "#match", matchWords(match, about.teams));
  write(document, "#counting", countWords(news.cards, about.teams));
  write(document, "#night", nightWords(news.night ?? null, about.teams));
  find("unsaved").hidden = saved;
  find("notices").replaceChildren(...notices.map((line) => make("li", "", line)));
  dealing.show(news.seats, playing(), news.cards);
  tellCut(news.cards?.cut ?? "");
  joinRequests.show(joining);
  guide.show(news);
  if (reopens) phones.open(playing());
  reopens = false;
  showScreen(news);
}

/**
 * Show the game's screen or the demo's.
 *
 * @param {News} news
 */
function showScreen({ table: game, match, mode, cards, demo = null }) {
  if (demo && !demoPlays) for (const id of ["referee", "correction", "placing"]) dialog(id).close();
  demoPlays = demo !== null;
  /** @type {HTMLElement} */ (document.querySelector("main")).dataset.screen = demo ? "demo" : "game";
  find("panel").classList.toggle("sign-up", mode?.state === "sign-up");
  write(document, "#play", demo ? say("End the demo") : say("Demo"));
  write(document, "#hand", handWords(demo?.table ?? game, about.teams));
  showBanner(demo ? demoBanner(demo, about.teams) : bannerWords(mode, game.winner, match, about.teams));
  const dealt = !demo && cards?.shown ? { ...NO_DEMO, cards: onTable(cards.shown) } : null;
  /** @type {HTMLElement} */ (document.querySelector("main")).classList.toggle("dealt", dealt !== null);
  showOwnHand(dealt !== null);
  screen.show(demo ?? dealt);
  if (!demo) adviceSwitch.refresh();
}

/**
 * Offer the way back to the hand of cards that was opened on this device last.
 *
 * @param {boolean} dealt
 */
function showOwnHand(dealt) {
  const link = /** @type {HTMLAnchorElement} */ (find("own-hand"));
  const path = recall(OWN_HAND) ?? "";
  link.hidden = !dealt || !path.startsWith(HAND_PATH);
  if (!link.hidden) link.href = path;
}

/** @param {import("./table/standing.js").Banner | null} banner */
function showBanner(banner) {
  const { head = "", below = "", team = "" } = banner ?? {};
  const place = find("over");
  place.hidden = banner === null;
  place.style.setProperty("--team", about.teams[team]?.colour ?? "");
  write(document, "#banner", head);
  write(document, "#below", below);
}

/**
 * Send a request to the table; a refusal is shown like that of a press.
 *
 * @param {string} path
 * @param {object} value
 */
async function send(path, value) {
  const refusal = await post(path, value);
  if (refusal) feedback.show(refusal);
}
