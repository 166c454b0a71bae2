// @ts-check
/**
 * The hand counter: four cards and the starter are tapped on the deck; it shows their score part by
 * part. Opened from a side's score pad, it can enter the count there.
 */

import { fetchAbout, readAbout } from "../ui/about.js";
import { DECK, drawn, isRed, named, written } from "./cards.js";
import { many, say, sayings } from "../i18n/language.js";
import { make, write } from "../ui/dom.js";
import { Taps, countTaps } from "../table/taps.js";

const HAND = 4;
/** @type {Record<string, string>} */
const KINDS = sayings({
  fifteen: "Fifteen",
  pair: "Pair",
  "pair-royal": "Pair royal",
  "double-pair-royal": "Double pair royal",
  run: "Run",
  flush: "Flush",
  nobs: "Nobs",
});

/** @typedef {{kind: string, points: number, cards: string[]}} Part */
/** @typedef {{points: number, parts: Part[]}} Counted */

/** @param {string} id */
const find = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

const side = new URLSearchParams(location.search).get("side") ?? "";
const crib = /** @type {HTMLInputElement} */ (find("crib"));
/** The hand first, then the starter. @type {string[]} */
let five = [];
/** Their score, once all five are there. @type {Counted | null} */
let counted = null;
let asked = 0;

const about = readAbout(await fetchAbout());
const mayPeg = side in about.teams && about.right !== "watch";
const taps = new Taps(about.run, { changed: () => {}, answered: () => {}, lost: () => {} });
taps.resume();

if (side in about.teams) {
  const back = /** @type {HTMLAnchorElement} */ (find("back"));
  back.href = `/pad?side=${encodeURIComponent(side)}`;
  back.textContent = say("Score pad");
}
find("deck").append(...DECK.map(deckKey));
find("clear").addEventListener("click", () => take([]));
find("peg").addEventListener("click", peg);
crib.addEventListener("change", count);
take([]);

/** @param {string} card */
function deckKey(card) {
  const key = /** @type {HTMLButtonElement} */ (make("button", "", written(card)));
  key.type = "button";
  key.dataset.card = card;
  key.setAttribute("aria-label", `${written(card)} ${named(card)}`);
  if (isRed(card)) key.dataset.red = "";
  key.addEventListener("click", () => take([...five, card]));
  return key;
}

/** @param {string[]} cards the hand first, then the starter */
function take(cards) {
  five = cards;
  const full = five.length > HAND;
  for (const key of /** @type {NodeListOf<HTMLButtonElement>} */ (
    document.querySelectorAll("#deck button")
  )) {
    key.disabled = full || five.includes(key.dataset.card ?? "");
  }
  find("four").replaceChildren(...[0, 1, 2, 3].map(slot));
  find("starter").replaceChildren(slot(HAND));
  count();
}

/**
 * A place for a card: the card there, which a tap puts back, or where the next one goes.
 *
 * @param {number} at
 */
function slot(at) {
  const card = five[at];
  if (!card) {
    const empty = make("li", "");
    empty.append(make("span", at === five.length ? "slot next" : "slot"));
    return empty;
  }
  const item = drawn(card);
  const back = make("button", "taken");
  back.setAttribute("aria-label", say("{card}: put it back", { card: named(card) }));
  back.append(...item.childNodes);
  back.addEventListener("click", () => take(five.filter((other) => other !== card)));
  item.append(back);
  return item;
}

/** Ask what the cards are worth, once all are there; only the newest answer counts. */
async function count() {
  const number = (asked += 1);
  if (five.length <= HAND) return show(null, "");
  const query = new URLSearchParams({
    hand: five.slice(0, HAND).join(" "),
    starter: five[HAND],
    crib: `${crib.checked}`,
  });
  try {
    const answer = await fetch(`/api/count?${query}`);
    const value = await answer.json();
    if (number !== asked) return;
    if (answer.ok) show(value, "");
    else show(null, value.error);
  } catch {
    if (number === asked) show(null, say("The table cannot be reached."));
  }
}

/**
 * @param {Counted | null} worth
 * @param {string} refusal
 */
function show(worth, refusal) {
  counted = worth;
  const missing = HAND + 1 - five.length;
  const taken = worth ? many(worth.points, "{n} point", "{n} points") : "";
  write(document, "#points", taken || (refusal ? "" : hintWords(missing)));
  write(document, "#refusal", refusal);
  find("parts").replaceChildren(...partLines(worth?.parts ?? []));
  find("peg").hidden = !mayPeg || !worth?.points;
}

/** @param {number} missing cards */
function hintWords(missing) {
  if (missing > 1) return say("Tap {missing} more cards", { missing });
  return missing ? say("Tap the starter") : "";
}

/**
 * A line a part, with the sum so far, as one counts aloud.
 *
 * @param {Part[]} parts
 */
function partLines(parts) {
  let sum = 0;
  return parts.map(({ kind, points, cards }) => {
    sum += points;
    const line = make("li", "");
    line.append(
      make("span", "", KINDS[kind] ?? kind),
      make("span", "cards-of", cards.map(written).join(" ")),
      make("span", "sum", say("{points}, makes {sum}", { points, sum })),
    );
    return line;
  });
}

/** Take the count along to the pad: it is pending there, and shows where it lands before Enter. */
function peg() {
  if (!counted) return;
  taps.press(...countTaps(side, counted.points));
  location.assign(`/pad?side=${encodeURIComponent(side)}`);
}
