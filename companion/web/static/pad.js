// @ts-check
/**
 * A score pad: one side's buttons on a phone. A tap shows at once, marked as unconfirmed until
 * the table has it.
 */

import { fetchAbout, readAbout } from "./ui/about.js";
import { AdviceSwitch, fetchAdvice } from "./table/advice_switch.js";
import { adviceWords, landingWords } from "./table/advice.js";
import { showPositions } from "./table/positions.js";
import { EventLog } from "./table/event_log.js";
import { Feedback } from "./table/feedback.js";
import { Join } from "./pairing/join.js";
import { keepAwake } from "./net/wake_lock.js";
import { HeldKey, tapped } from "./net/held_keys.js";
import { say } from "./i18n/language.js";
import { make, reconcile, write } from "./ui/dom.js";
import { LatestState } from "./table/latest_state.js";
import { bannerWords, ownHandWords, sideWords } from "./table/standing.js";
import { Stream } from "./net/stream.js";
import { MOST_POINTS, Taps, countTaps, pendingAfter, tapWords } from "./table/taps.js";
import { CONNECTION, matchWords, onPath } from "./i18n/labels.js";

/** Counts with a key of their own; others are entered with +1 and +5. */
const QUICK = [2, 3, 4, 6, 7, 8, 9, 10, 12, 14, 16, 20];
/** Hold in seconds that confirms an Undo or a Deal, with a margin for rounding. */
const HOLD_S = 1.05;
/** Longest hold that a request may carry; nothing needs more than five seconds. */
const LONGEST_S = 9;

/** @param {string} id */
const find = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** The side that this pad is for, "" if it must still be chosen. */
const side = /^[1-9]$/.exec(new URLSearchParams(location.search).get("side") ?? "")?.[0] ?? "";
let aboutText = await fetchAbout();
let about = readAbout(aboutText);
/** Outlook of each count by side. @type {Record<string, import("./table/advice.js").Advice>} */
let outlooks = {};
/** `seq` of the table for which they were fetched. */
let outlooksOf = -1;

const latest = new LatestState(show);
const feedback = new Feedback(find("feedback"));
const taps = new Taps(about.run, {
  changed: () => {
    latest.hold(taps.waiting.length > 0);
    show();
  },
  answered: (answer) => latest.answered(answer),
  lost: (why, status) => {
    latest.forget();
    write(document, "#lost", why);
    if (status) renew();
  },
});
const adviceSwitch = new AdviceSwitch(/** @type {HTMLInputElement} */ (find("adviser")), (advice) =>
  write(document, "#advice", advice[side] ? adviceWords(advice[side]) : ""),
);
/** Only the latest entry has room here. */
const eventLog = new EventLog(find("told"), about, { most: 1 });

keepAwake();
bindKeys();
arrange();
taps.resume();
new Stream("/api/stream", {
  hello: () => {
    outlooksOf = -1;
    renew();
  },
  news: (news) => latest.tell(news),
  entry: (entry) => eventLog.add(entry),
  state: (state) => {
    latest.live = state === "live";
    find("connection").dataset.state = state;
    write(document, "#connection", CONNECTION[state]);
  },
});

/** Fetch `about` again: the server may have restarted, let this phone in, or forgotten it. */
async function renew() {
  const text = await fetchAbout();
  if (text === aboutText) return;
  aboutText = text;
  about = readAbout(text);
  taps.begin(about.run);
  arrange();
  show();
}

/** Show the screen for this phone: choose a side, join, or score. */
function arrange() {
  const team = about.teams[side];
  const screen = !team ? "choose" : about.right === "watch" ? "join" : "score";
  const main = /** @type {HTMLElement} */ (document.querySelector("main"));
  document.documentElement.style.setProperty("--team", team?.colour ?? "");
  write(document, "#who", team?.name ?? say("Score pad"));
  /** @type {HTMLElement} */ (main.querySelector('[data-key="mode"]')).hidden = about.right !== "run";
  /** @type {HTMLAnchorElement} */ (find("counter")).href = `/counter?side=${encodeURIComponent(side)}`;
  if (screen === "choose") reconcile(find("choose").children[1], Object.keys(about.teams), choice);
  if (screen === "join" && main.dataset.screen !== "join") new Join(find("join"), "score", renew, { side, name: team.name });
  main.dataset.screen = screen;
}

/** @param {string} team */
function choice(team) {
  const { name, colour } = about.teams[team];
  const link = make("a", "key", name);
  Object.assign(link, { href: `/pad?side=${team}` });
  link.style.setProperty("--team", colour);
  const item = make("li", "");
  item.append(link);
  return item;
}

function bindKeys() {
  find("quick").replaceChildren(...QUICK.map(quickKey));
  for (const key of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-key]"))) {
    const name = key.dataset.key ?? "";
    const button = name === "deal" || name === "mode" ? name : `${side}.${name}`;
    const longest = name === "mode" ? LONGEST_S : HOLD_S;
    const act = (/** @type {number} */ held) => press({ button, held });
    if (key.classList.contains("held")) new HeldKey(key, { longest, act, clicked: () => clickSeconds(name) });
    else tapped(key, () => act(0));
  }
}

/** The key that must be held after a hint of this kind. @type {Record<string, string>} */
const HOLDS = { "hold-undo": "undo", "count-pending": "deal", "nobody-counted": "deal" };

/**
 * Return the hold in seconds that a bare click stands for: after a hint that the key must be held,
 * the next click counts as a hold.
 *
 * @param {string} name of the key
 */
function clickSeconds(name) {
  return HOLDS[latest.now?.hint?.kind ?? ""] === name ? HOLD_S : 0;
}

/** @param {number} points */
function quickKey(points) {
  const key = /** @type {HTMLButtonElement} */ (make("button", "key quick", `${points}`));
  key.type = "button";
  key.setAttribute("aria-label", say("count {points}", { points }));
  tapped(key, () => {
    // The table would take the first of these taps and refuse the others: another count than meant.
    if (pending() + points > MOST_POINTS) write(document, "#lost", say("A count is {most} at most", { most: MOST_POINTS }));
    else press(...countTaps(side, points));
  });
  return key;
}

/** @param {import("./table/taps.js").Tap[]} made */
function press(...made) {
  write(document, "#lost", "");
  taps.press(...made);
}

/** Return the count that is pending once the table has taken all taps. */
function pending() {
  const own = latest.now?.table.teams[side];
  return pendingAfter(side, own?.pending ?? 0, taps.waiting);
}

function show() {
  const { now } = latest;
  const unsent = say("Not sent yet, trying again: {taps}", { taps: tapWords(taps.waiting) });
  write(document, "#unsent", taps.stuck ? unsent : "");
  if (!now) return;
  for (const item of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#choose li"))) {
    item.classList.toggle("away", !((item.dataset.key ?? "") in now.table.teams));
  }
  if (!about.teams[side]) return;
  const { table, match, saved, mode } = now;
  const banner = bannerWords(mode, table.winner, match, about.teams);
  const hand = ownHandWords(table, about.teams, side);
  write(document, "#hand", banner ? banner.head || banner.below : hand);
  write(document, "#below", banner?.head ? banner.below : "");
  const concerned = now.hint?.team ?? null;
  if (concerned === null || `${concerned}` === side) feedback.tell(now, {});
  write(document, "#match", matchWords(match, about.teams));
  find("unsaved").hidden = saved;
  showOwn(now);
  const others = Object.keys(table.teams).filter((team) => team !== side);
  showPositions(find("others"), others, table.teams, about.teams);
  askOutlooks(table.seq);
}

/** @param {import("./main.js").News} news */
function showOwn({ table, boxes = {} }) {
  const own = table.teams[side];
  const points = own ? pending() : 0;
  const lands = outlooks[side]?.outlooks.find((each) => each.points === points);
  find("count").classList.toggle("out", !own || own.folded || own.boxed > 0);
  find("count").classList.toggle("path", own !== undefined && onPath(own.front) !== null);
  find("count").classList.toggle("unsure", taps.waiting.length > 0);
  write(document, "#front .hole", own ? (onPath(own.front)?.short ?? `${own.front}`) : "");
  write(document, "#pending", points ? `+${points}` : "");
  write(document, "#lands", points ? (lands ? landingWords(lands) : say("{points} pending", { points })) : "");
  write(document, "#state", own ? sideWords(own, boxes[side]) : say("not playing"));
}

/**
 * Fetch the outlook of each count, once after each command.
 *
 * @param {number} seq
 */
async function askOutlooks(seq) {
  if (seq === outlooksOf) return;
  outlooksOf = seq;
  adviceSwitch.refresh();
  const told = await fetchAdvice();
  if (seq !== outlooksOf) return;
  outlooks = told;
  show();
}
