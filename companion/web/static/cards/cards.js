// @ts-check
/**
 * Playing cards: how one is drawn, and how a row of them is brought up to date. Rank and suit stand
 * in the left half, so that cards which lie over each other can still be read.
 */

import { say, sayings } from "../i18n/language.js";
import { make, reconcile } from "../ui/dom.js";

/** @typedef {{card: string | null, played: boolean}} Held a card, null face down */

const SVG = "http://www.w3.org/2000/svg";
/** In their order; the words for those that are no numbers follow. */
const RANKS = "A23456789TJQK";
/** @type {Record<string, string>} */
const RANK_WORDS = sayings({ A: "ace", T: "10", J: "jack", Q: "queen", K: "king" });
/** @type {Record<string, string>} */
const SUIT_WORDS = sayings({ S: "spades", H: "hearts", D: "diamonds", C: "clubs" });

/** Each suit's shape in a square of 100. @type {Record<string, string>} */
const SUITS = {
  S: "M50 3C57 22 95 38 95 64C95 77 86 85 75 85C66 85 58 80 54 72C55 83 59 90 67 97" +
    "H33C41 90 45 83 46 72C42 80 34 85 25 85C14 85 5 77 5 64C5 38 43 22 50 3Z",
  H: "M50 94C20 67 4 51 4 31C4 16 15 6 28 6C38 6 46 12 50 22C54 12 62 6 72 6" +
    "C85 6 96 16 96 31C96 51 80 67 50 94Z",
  D: "M50 2C58 19 70 36 87 50C70 64 58 81 50 98C42 81 30 64 13 50C30 36 42 19 50 2Z",
  C: "M50 3A22 22 0 0 1 67 39A22 22 0 1 1 54 72C55 83 59 90 67 97H33C41 90 45 83 46 72" +
    "A22 22 0 1 1 33 39A22 22 0 0 1 50 3Z",
};
const RED = "HD";
/** @type {Record<string, string>} */
const SIGNS = { S: "\u2660", H: "\u2665", D: "\u2666", C: "\u2663" };

/**
 * Have a place show these cards.
 *
 * @param {Element} place a list
 * @param {Held[]} cards
 */
export function lay(place, cards) {
  const items = reconcile(place, cards.map(({ card }) => card ?? ""), drawn);
  items.forEach((item, at) => item.classList.toggle("played", cards[at].played));
}

/** @typedef {"up" | "down" | "dealt"} Order */

/**
 * Cards as people hold them: from the ace up unless asked otherwise; what lies face down goes last.
 *
 * @param {Held[]} cards
 * @param {Order} [order]
 */
export function inOrder(cards, order = "up") {
  if (order === "dealt") return cards;
  const way = order === "up" ? 1 : -1;
  return [...cards].sort((a, b) => {
    if (a.card === null || b.card === null) return Number(a.card === null) - Number(b.card === null);
    return way * (place(a.card) - place(b.card));
  });
}

/** @param {string} card */
function place(card) {
  return RANKS.indexOf(card[0]) * 4 + Object.keys(SUITS).indexOf(card[1]);
}

/** @param {string} card empty face down */
export function drawn(card) {
  const item = make("li", "card");
  const face = make("div", card ? "face" : "face back");
  face.setAttribute("role", "img");
  face.setAttribute("aria-label", card ? named(card) : say("face down"));
  if (card) {
    face.classList.toggle("red", isRed(card));
    face.append(make("span", "rank", card[0] === "T" ? "10" : card[0]));
    face.append(suit(card[1], "small"), suit(card[1], "large"));
  }
  item.append(face);
  return item;
}

/** Every card, suit by suit from the ace up. */
export const DECK = Object.keys(SUITS).flatMap((letter) =>
  [...RANKS].map((rank) => `${rank}${letter}`),
);

/**
 * A card in a few signs, as it stands in a line of text.
 *
 * @param {string} card
 */
export function written(card) {
  return `${card[0] === "T" ? "10" : card[0]}${SIGNS[card[1]]}`;
}

/** @param {string} card */
export function isRed(card) {
  return RED.includes(card[1]);
}

/** @param {string} card */
export function named(card) {
  const rank = RANK_WORDS[card[0]] ?? card[0];
  return say("{rank} of {suit}", { rank, suit: SUIT_WORDS[card[1]] });
}

/**
 * @param {string} letter
 * @param {string} size
 */
function suit(letter, size) {
  const image = document.createElementNS(SVG, "svg");
  const shape = document.createElementNS(SVG, "path");
  image.setAttribute("viewBox", "0 0 100 100");
  image.setAttribute("class", `suit ${size}`);
  shape.setAttribute("d", SUITS[letter]);
  image.append(shape);
  return image;
}
