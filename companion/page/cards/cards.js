// @ts-check
/**
 * Playing cards: a single card and a row of cards. Rank and suit are in the left half of a card, so that
 * overlapping cards can be read.
 */

import { say, sayings } from "../i18n/language.js";
import { html } from "../vendor/preact.js";

const RANKS = "A23456789TJQK";
const RANK_WORDS = sayings({ A: "ace", T: "10", J: "jack", Q: "queen", K: "king" });
const SUIT_WORDS = sayings({ S: "spades", H: "hearts", D: "diamonds", C: "clubs" });

/** SVG path of each suit in a square of 100 by 100. @type {Record<string, string>} */
const SUITS = {
  S: "M50 3C57 22 95 38 95 64C95 77 86 85 75 85C66 85 58 80 54 72C55 83 59 90 67 97" +
    "H33C41 90 45 83 46 72C42 80 34 85 25 85C14 85 5 77 5 64C5 38 43 22 50 3Z",
  H: "M50 94C20 67 4 51 4 31C4 16 15 6 28 6C38 6 46 12 50 22C54 12 62 6 72 6" +
    "C85 6 96 16 96 31C96 51 80 67 50 94Z",
  D: "M50 2C58 19 70 36 87 50C70 64 58 81 50 98C42 81 30 64 13 50C30 36 42 19 50 2Z",
  C: "M50 3A22 22 0 0 1 67 39A22 22 0 1 1 54 72C55 83 59 90 67 97H33C41 90 45 83 46 72" +
    "A22 22 0 1 1 33 39A22 22 0 0 1 50 3Z",
};
const SUIT_SIZES = ["small", "large"];
const RED = "HD";
/** @type {Record<string, string>} */
const SIGNS = { S: "\u2660", H: "\u2665", D: "\u2666", C: "\u2663" };

/**
 * Row of cards. If `button` is given, each card is a button with the attributes that `button` returns.
 *
 * @param {{cards: Api.HeldCard[], button?: (card: string) => object, children?: object} & Record<string, any>}
 *   props all other props are attributes of the list; `children` follow the cards
 */
export function Cards({ cards, button, children, ...attributes }) {
  const items = cards.map(({ card, played }, at) => html`
    <li key=${card ?? at} class=${played ? "card played" : "card"} data-key=${card ?? ""}>
      ${button && card ? html`<button type="button" ...${button(card)}><${Face} card=${card} /></button>` : html`<${Face} card=${card} />`}
    </li>`);
  return html`<ol class="cards" ...${attributes}>${items}${children}</ol>`;
}

/** @param {{card: string | null}} props */
function Face({ card }) {
  if (!card) return html`<div class="face back" role="img" aria-label=${say("face down")} />`;
  return html`
    <div class=${isRed(card) ? "face red" : "face"} role="img" aria-label=${named(card)}>
      <span class="rank">${rankOf(card)}</span>
      ${SUIT_SIZES.map((size) => html`<svg viewBox="0 0 100 100" class=${`suit ${size}`}><path d=${SUITS[card[1]]} /></svg>`)}
    </div>`;
}

/** @param {string} card */
function rankOf(card) {
  return card[0] === "T" ? "10" : card[0];
}

/** Return cards with `played` false. @param {(string | null)[]} cards @returns {Api.HeldCard[]} */
export function lying(cards) {
  return cards.map((card) => ({ card, played: false }));
}

/** @typedef {"up" | "down" | "dealt"} Order */

/**
 * Return cards sorted by rank, or unchanged for "dealt". When sorted, cards that lie face down come last.
 *
 * @param {Api.HeldCard[]} cards
 * @param {Order} [order]
 */
export function inOrder(cards, order = "up") {
  if (order === "dealt") return cards;
  const way = order === "up" ? 1 : -1;
  return [...cards].sort((a, b) => {
    if (a.card === null || b.card === null) return Number(a.card === null) - Number(b.card === null);
    return way * (positionOf(a.card) - positionOf(b.card));
  });
}

/** @param {string} card */
function positionOf(card) {
  return RANKS.indexOf(card[0]) * 4 + Object.keys(SUITS).indexOf(card[1]);
}

/** All cards, sorted by suit and then by rank, ace first. */
export const DECK = Object.keys(SUITS).flatMap((letter) =>
  [...RANKS].map((rank) => `${rank}${letter}`),
);

/** Return a card as short text, e.g. 10♠. @param {string} card */
export function written(card) {
  return `${rankOf(card)}${SIGNS[card[1]]}`;
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
