// @ts-check
/**
 * One hand of cards, for the holder of its address. News of the stream make the page fetch the hand
 * again.
 */

import { fetchAbout, readAbout } from "../ui/about.js";
import { drawn, inOrder, lay } from "./cards.js";
import { CountForm, countWords } from "./count_form.js";
import { drawSheet } from "../table/sheet.js";
import { showPositions } from "../table/positions.js";
import { many, say } from "../i18n/language.js";
import { keepAwake } from "../net/wake_lock.js";
import { HAND_PATH, OWN_HAND, recall, remember } from "../net/storage.js";
import { make, reconcile, write } from "../ui/dom.js";
import { post } from "../net/post.js";
import { bannerWords, ownHandWords } from "../table/standing.js";
import { Stream } from "../net/stream.js";
import { CONNECTION, PLAYERS, matchWords, seatName } from "../i18n/labels.js";

/** @typedef {import("./cards.js").Held} Held */
/** @typedef {import("./demo.js").Hand} Hand */
/**
 * @typedef {{seat: number, seats: Record<string, string>, awaited: number | null,
 *   ask: {for: "discard" | "play", cards: number, under_deck: boolean, choice: string[]} | null,
 *   lines: string[],
 *   shown: import("./demo.js").Cards | null} & import("./count_form.js").Counts} OwnHand
 */

/** Storage key of the order of the cards. */
const ORDER = "cards-order";

const token = new URLSearchParams(location.search).get("hand") ?? "";
const path = `/api/cards/${encodeURIComponent(token)}`;

/** @param {string} id */
const find = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** The cards that are chosen. @type {Set<string>} */
const chosen = new Set();
/** Number of cards that are asked for. */
let wanted = 0;
/** The cards that may be chosen; null while none are asked for. @type {string[] | null} */
let choice = null;
let looking = false;
let lookAgain = false;
/** The own cards in the order in which they were dealt. @type {Held[]} */
let dealt = [];
/** The own side, once it is known. */
let side = "";
/** @type {import("../main.js").News | null} */
let latest = null;
let about = readAbout(await fetchAbout());

keepAwake();
const sorting = /** @type {HTMLSelectElement} */ (find("order"));
sorting.value = recall(ORDER) ?? "up";
sorting.addEventListener("change", () => {
  remember(ORDER, sorting.value);
  showOwn(dealt);
});
find("choosing").addEventListener("submit", (event) => {
  event.preventDefault();
  send();
});

const counting = new CountForm(/** @type {HTMLFormElement} */ (find("counting")), async (points) => {
  const refusal = await post(`${path}/points`, { points });
  write(document, "#refusal", refusal);
  look();
});

const light = await drawSheet(/** @type {HTMLElement} */ (document.querySelector(".sheet")), about);
new Stream("/api/stream", {
  hello: () => {
    light.reset();
    renew();
  },
  frame: (text) => light.show(text),
  news: (news) => {
    latest = news;
    showStanding();
    look();
  },
  state: (state) => {
    find("connection").dataset.state = state;
    write(document, "#connection", CONNECTION[state]);
  },
});

/** The server may have been started anew with other teams. */
async function renew() {
  about = readAbout(await fetchAbout());
  look();
}

/** Fetch the hand, one request at a time, so that an old answer never replaces a newer one. */
async function look() {
  lookAgain = true;
  if (looking) return;
  looking = true;
  while (lookAgain) {
    lookAgain = false;
    try {
      const answer = await fetch(path);
      if (answer.ok) show(await answer.json());
      else over((await answer.json()).error);
    } catch {
      // The stream tells that the table is away, and asks again when it is back.
    }
  }
  looking = false;
}

/** @param {OwnHand} hand */
function show(hand) {
  const { seat, shown, ask, lines } = hand;
  const own = shown?.hands.find((one) => one.seat === seat);
  side = own ? `${own.team}` : side;
  const team = about.teams[side];
  remember(OWN_HAND, HAND_PATH + encodeURIComponent(token));
  showStanding();
  document.documentElement.style.setProperty("--team", team?.colour ?? "");
  write(document, "#who", say("{name}, seat {seat}", { name: team?.name ?? "Crib Wars", seat }));
  wanted = ask?.cards ?? 0;
  choice = ask?.choice ?? null;
  showOwn(own?.cards ?? []);
  showTable(hand);
  reconcile(find("lines"), lines, (line) => make("li", "", line));
  counting.show(hand, Number(side), about.teams);
  write(document, "#ask", askWords(hand));
  write(document, "#send", sendWords(ask));
  find("send").hidden = !ask;
}

/** Show the owner of the crib or the winner, the match, and the positions of the sides. */
function showStanding() {
  if (!latest) return;
  const { table, match } = latest;
  const won = bannerWords(null, table.winner, match, about.teams);
  write(document, "#hand", won ? `${won.head}. ${won.below}` : ownHandWords(table, about.teams, side));
  write(document, "#match", matchWords(match, about.teams));
  showPositions(find("fronts"), Object.keys(table.teams), table.teams, about.teams);
}

/** Return the order in which the own cards are sorted. */
function order() {
  return /** @type {import("./cards.js").Order} */ (sorting.value || "up");
}

/** @param {Held[]} cards */
function showOwn(cards) {
  dealt = cards;
  const held = inOrder(cards, order());
  const playable = held.flatMap(({ card, played }) => (card && !played && (choice?.includes(card) ?? true) ? [card] : []));
  for (const card of chosen) if (!playable.includes(card)) chosen.delete(card);
  const items = reconcile(find("own"), held.map(({ card }) => card ?? ""), choosable);
  items.forEach((item, at) => {
    item.classList.toggle("played", held[at].played);
    button(item).disabled = !playable.includes(item.dataset.key ?? "");
  });
  mark();
}

/** @param {OwnHand} hand */
function showTable({ seat, seats, shown }) {
  const { starter = null, pile = [], phase = "", count = 0, hands = [], crib = [] } = shown ?? {};
  lay(find("starter"), open(starter ? [starter] : []));
  lay(find("pile"), open(pile));
  write(document, "#count", phase === "play" ? `${count}` : "");
  /** @type {Record<string, Held[]>} */
  const laid = { [say("Crib")]: open(crib) };
  for (const other of hands) {
    const who = PLAYERS[seats[other.seat]] ?? seats[other.seat];
    const name = nameOf(other.seat, hands);
    if (other.seat !== seat) laid[say("{name}: {who}", { name, who })] = other.cards;
  }
  for (const box of reconcile(find("others"), Object.keys(laid), otherBox)) {
    lay(box.children[1], inOrder(laid[box.dataset.key ?? ""]));
  }
}

/**
 * Return the name of a seat in this deal.
 *
 * @param {number} seat
 * @param {Hand[]} hands
 */
function nameOf(seat, hands) {
  const team = hands.find((hand) => hand.seat === seat)?.team;
  const partners = hands.some((hand) => hand.team === team && hand.seat !== seat);
  return seatName(seat, about.teams[`${team}`], partners);
}

/** @param {string} name */
function otherBox(name) {
  const box = make("section", "");
  box.append(make("h2", "", name), make("ol", "cards"));
  return box;
}

/** @param {OwnHand["ask"]} ask */
function sendWords(ask) {
  if (ask?.for !== "discard") return say("Play");
  return ask.under_deck ? say("Put under the deck") : say("Throw into the crib");
}

/** @param {OwnHand} hand */
function askWords({ ask, awaited, shown, ...counts }) {
  if (ask?.under_deck) return say("Choose 1 card to go under the deck: the crib comes from the other sides");
  if (ask?.for === "discard") {
    return many(ask.cards, "Choose {n} card for the crib", "Choose {n} cards for the crib");
  }
  if (ask) return say("Play a card");
  const words = counting.form.hidden ? countWords(counts, about.teams) : "";
  if (words) return words;
  if (awaited) return say("{name} is to choose", { name: nameOf(awaited, shown?.hands ?? []) });
  return shown ? "" : say("The cards are being dealt");
}

/** @param {string} card */
function choosable(card) {
  const item = drawn(card);
  const choose = /** @type {HTMLButtonElement} */ (make("button", "choose"));
  choose.type = "button";
  choose.append(...item.childNodes);
  choose.addEventListener("click", () => pick(card));
  item.append(choose);
  return item;
}

/** @param {string} card */
function pick(card) {
  write(document, "#refusal", "");
  if (!chosen.delete(card)) {
    if (wanted === 1) chosen.clear();
    chosen.add(card);
  }
  mark();
}

/** Show which cards are chosen, and whether they are as many as are asked for. */
function mark() {
  for (const item of /** @type {Iterable<HTMLElement>} */ (find("own").children)) {
    button(item).setAttribute("aria-pressed", `${chosen.has(item.dataset.key ?? "")}`);
  }
  const send = /** @type {HTMLButtonElement} */ (find("send"));
  send.disabled = wanted === 0 || chosen.size !== wanted;
}

/** @param {HTMLElement} item */
function button(item) {
  return /** @type {HTMLButtonElement} */ (item.querySelector("button"));
}

async function send() {
  const refusal = await post(path, { cards: [...chosen] });
  write(document, "#refusal", refusal);
  if (!refusal) chosen.clear();
  mark();
  look();
}

/** @param {string} why */
function over(why) {
  wanted = 0;
  remember(OWN_HAND, "");
  find("send").hidden = counting.form.hidden = true;
  write(document, "#ask", why);
  mark();
}

/**
 * @param {(string | null)[]} cards
 * @returns {Held[]}
 */
function open(cards) {
  return cards.map((card) => ({ card, played: false }));
}
