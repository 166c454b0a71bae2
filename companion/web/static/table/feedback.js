// @ts-check
/**
 * Feedback on presses: a line that says why a press did not do what was meant. It is shown at the side
 * concerned or in a place of its own, and fades. Each press has its own line, even with the same words.
 */

import { html } from "../vendor/preact.js";

/** Time for which a line is shown; the style fades it at the end. */
const STANDS_MS = 12_000;

export class Feedback {
  /** @param {() => void} changed */
  constructor(changed) {
    this.changed = changed;
    this.words = "";
    /** The side concerned, "" for none. */
    this.side = "";
    /** Number of the line, unlike that of any other. */
    this.number = 0;
    /** The last line of the table, with the number of its hint. */
    this.last = "";
    this.timer = 0;
  }

  /**
   * Take over what the table says of the last press, if that is new.
   *
   * @param {{feedback: string | null, hint: Api.HintResponse | null}} news
   * @param {Record<string, unknown>} sides those that play
   */
  follow({ feedback, hint }, sides) {
    const words = feedback ?? "";
    const line = `${hint?.number ?? ""} ${words}`;
    if (line === this.last) return;
    this.last = line;
    this.show(words, `${hint?.team}` in sides ? `${hint?.team}` : "");
  }

  /** @param {string} words @param {string} [side] the side concerned, "" for none */
  show(words, side = "") {
    clearTimeout(this.timer);
    Object.assign(this, { words, side, number: this.number + 1 });
    if (words) this.timer = setTimeout(() => this.show(""), STANDS_MS);
    this.changed();
  }

  /** Show words of the page itself, once as long as they stand. @param {string} words */
  note(words) {
    if (this.words !== words) this.show(words);
  }
}

/** A line that fades by the style. @param {{feedback: Feedback}} props */
export function FadingLine({ feedback: { words, number } }) {
  return words && html`<span key=${number}>${words}</span>`;
}
