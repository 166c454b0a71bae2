// @ts-check
/**
 * The screen beside the board during a demo: all cards, the standing of the sides and the commentary.
 * It is empty while no demo plays.
 */

import { inOrder, lay } from "./cards.js";
import { say } from "../i18n/language.js";
import { make, reconcile, write } from "../ui/dom.js";
import { sideWords } from "../table/standing.js";
import { onPath } from "../i18n/labels.js";

/** @typedef {import("./cards.js").Held} Held */
/** @typedef {import("../i18n/labels.js").Table} Table */
/** @typedef {import("../i18n/labels.js").Teams} Teams */
/** @typedef {{seat: number, team: number, folded: boolean, cards: Held[]}} Hand */
/**
 * @typedef {{phase: string, dealer: number | null, turn: number | null, starter: string | null,
 *   count: number, pile: string[], hands: Hand[], crib: (string | null)[],
 *   showing: number | "crib" | null}} Cards
 * @typedef {{stage: "play" | "path" | "show", table: Table | null, cards: Cards | null,
 *   lines: string[], names: Record<string, string>}} Demo
 */

/** Lines of commentary on show; the newest is the last. */
const LINES = 4;

/** @type {Cards} */
const NO_CARDS = {
  phase: "", dealer: null, turn: null, starter: null, count: 0, pile: [], hands: [], crib: [],
  showing: null,
};
/** @type {Demo} */
export const NO_DEMO = { stage: "play", table: null, cards: null, lines: [], names: {} };

export class DemoScreen {
  /**
   * @param {HTMLElement} place
   * @param {HTMLElement} caption
   * @param {{teams: Teams, language: string}} about
   */
  constructor(place, caption, { teams, language }) {
    this.place = place;
    this.caption = caption;
    this.teams = teams;
    caption.lang = language;
  }

  /** @param {Demo | null} demo */
  show(demo) {
    const { table, cards, lines, names } = demo ?? NO_DEMO;
    reconcile(this.caption, lines.slice(-LINES), (line) => make("li", "", line));
    this.showMiddle(cards ?? NO_CARDS);
    const rows = reconcile(this.find(".sides"), Object.keys(table?.teams ?? {}), sideRow);
    for (const row of rows) this.showSide(row, /** @type {Table} */ (table), cards ?? NO_CARDS, names);
  }

  /** @param {Cards} cards */
  showMiddle({ phase, dealer, turn, starter, count, pile, crib, showing, hands }) {
    lay(this.find(".starter ol"), open(starter ? [starter] : []));
    lay(this.find(".pile ol"), open(pile));
    lay(this.find(".crib ol"), inOrder(open(crib)));
    write(this.place, ".count", phase === "play" ? `${count}` : "");
    const acts = hands.find(({ seat }) => seat === (turn ?? showing));
    const name = acts && this.teams[acts.team].name;
    write(this.place, ".turn", !name ? "" : turn ? say("{name}'s turn", { name }) : say("{name} counts", { name }));
    const owner = hands.find(({ seat }) => seat === dealer);
    this.colour(this.find(".crib"), owner ? `${owner.team}` : "");
    this.find(".crib").classList.toggle("acts", showing === "crib");
  }

  /**
   * @param {HTMLElement} row
   * @param {Table} table
   * @param {Cards} cards
   * @param {Record<string, string>} names
   */
  showSide(row, table, cards, names) {
    const team = /** @type {string} */ (row.dataset.key);
    const side = table.teams[team];
    const path = onPath(side.front);
    const hands = cards.hands.filter((hand) => `${hand.team}` === team);
    const alone = hands.length === 1 ? doing(hands[0].seat, cards) : "";
    this.colour(row, team);
    row.classList.toggle("path", path !== null);
    write(row, ".name", this.nameOf(team, table, names));
    write(row, ".front", path?.short ?? `${side.front}`);
    write(row, ".state", listed([sideWords(side, undefined), alone]));
    showHands(row, hands.sort((a, b) => a.seat - b.seat), cards);
  }

  /**
   * Return the name of a side: its player's if it has one alone.
   *
   * @param {string} team
   * @param {Table} table
   * @param {Record<string, string>} names
   */
  nameOf(team, table, names) {
    const alone = Object.keys(names).length === Object.keys(table.teams).length;
    return (alone && names[team]) || this.teams[team].name;
  }

  /**
   * @param {HTMLElement} element
   * @param {string} team
   */
  colour(element, team) {
    element.style.setProperty("--team", this.teams[team]?.colour ?? "");
  }

  /** @param {string} where */
  find(where) {
    return /** @type {HTMLElement} */ (this.place.querySelector(where));
  }
}

/**
 * Return the cards as they lie in the middle: the hand that is counted takes the place of the pile.
 *
 * @param {Cards} cards
 * @returns {Cards}
 */
export function onTable(cards) {
  const shown = cards.hands.find(({ seat }) => seat === cards.showing);
  return shown ? { ...cards, pile: shown.cards.flatMap(({ card }) => card ?? []) } : cards;
}

/**
 * Return the banner over the board during a demo.
 *
 * @param {Demo} demo
 * @param {Teams} teams
 * @returns {import("../table/standing.js").Banner | null}
 */
export function demoBanner({ stage, table }, teams) {
  if (stage === "path") return { head: "", below: say("The way the pegs took") };
  if (stage === "show") return { head: "", below: say("The next game begins soon") };
  if (!table || table.winner === null) return null;
  const team = `${table.winner}`;
  return { head: say("{name} wins", { name: teams[team].name }), below: "", team };
}

function sideRow() {
  const row = make("section", "seats");
  row.append(make("h2", "name"), make("p", "state"), make("p", "front"), make("div", "hands"));
  return row;
}

function handBox() {
  const box = make("div", "hand");
  box.append(make("p", "does"), make("ol", "cards"));
  return box;
}

/**
 * @param {HTMLElement} row of a side
 * @param {Hand[]} hands of its players; of partners each is told what it does
 * @param {Cards} cards
 */
function showHands(row, hands, cards) {
  const place = /** @type {HTMLElement} */ (row.querySelector(".hands"));
  const boxes = reconcile(place, hands.map(({ seat }) => `${seat}`), handBox);
  hands.forEach(({ seat, folded, cards: own }, at) => {
    const box = boxes[at];
    const does = listed([say("seat {seat}", { seat }), doing(seat, cards)]);
    write(box, ".does", hands.length > 1 ? does : "");
    box.classList.toggle("acts", seat === cards.turn || seat === cards.showing);
    box.classList.toggle("folded", folded);
    lay(/** @type {Element} */ (box.querySelector(".cards")), inOrder(own));
  });
}

/**
 * @param {number} seat
 * @param {Cards} cards
 */
function doing(seat, { dealer, turn, showing }) {
  const acts = seat === turn ? say("to play") : seat === showing ? say("counts") : "";
  return listed([seat === dealer ? say("dealer") : "", acts]);
}

/** @param {string[]} words those of them that are not empty */
function listed(words) {
  return words.filter(Boolean).join(", ");
}

/**
 * @param {(string | null)[]} cards
 * @returns {Held[]}
 */
function open(cards) {
  return cards.map((card) => ({ card, played: false }));
}
