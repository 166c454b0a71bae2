// @ts-check
/**
 * Feedback on presses: why one did not do what was meant. It stands at the side concerned, or in a place
 * of its own, and fades; each press has its own, also where the words are the same.
 */

import { make } from "../ui/dom.js";

/** Time for which a line stands; the style fades it at the end. */
const STANDS_MS = 12_000;

/** @typedef {{kind: string, team: number | null, number: number}} Hint `number`: unlike that of any other */

export class Feedback {
  /**
   * @param {HTMLElement} place
   * @param {(team: string, words: string) => void} [atSide] shows the words at a side, "" for none
   */
  constructor(place, atSide = () => {}) {
    this.place = place;
    this.atSide = atSide;
    this.told = "";
    this.timer = 0;
  }

  /**
   * Show what the table says of the last press, if that is new.
   *
   * @param {{feedback: string | null, hint: Hint | null}} news
   * @param {Record<string, unknown>} sides those that play
   */
  tell({ feedback, hint }, sides) {
    const words = feedback ?? "";
    const told = `${hint?.number ?? ""} ${words}`;
    if (told === this.told) return;
    this.told = told;
    this.show(words, `${hint?.team}` in sides ? `${hint?.team}` : "");
  }

  /**
   * @param {string} words
   * @param {string} [team] the side concerned, "" for none
   */
  show(words, team = "") {
    clearTimeout(this.timer);
    this.place.replaceChildren(...(words ? [make("span", "", words)] : []));
    this.place.classList.toggle("elsewhere", team !== "");
    this.atSide(team, words);
    if (words) this.timer = setTimeout(() => this.show(""), STANDS_MS);
  }

  /** Show words of the page itself, once as long as they stand. @param {string} words */
  note(words) {
    if (this.place.textContent !== words) this.show(words);
  }
}
