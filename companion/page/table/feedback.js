// @ts-check
/**
 * Feedback on presses: a line that says why a press did not have the expected effect. It is shown at the side
 * concerned or in a separate place, and fades. If a later press has the same feedback, the line appears again.
 */

import { html } from "../vendor/preact.js";

/** Time for which a line is shown. The style sheet fades the line at the end. */
const STANDS_MS = 12_000;

export class Feedback {
  /** @param {() => void} changed */
  constructor(changed) {
    this.changed = changed;
    this.words = "";
    /** Side concerned, or "". */
    this.side = "";
    /** Unique number of the line. */
    this.number = 0;
    /** Last feedback of the table, with the number of its hint. */
    this.last = "";
    this.timer = 0;
  }

  /**
   * Show the table's feedback on the last press, if it is new.
   *
   * @param {{feedback: string | null, hint: Api.HintResponse | null}} news
   * @param {Record<string, unknown>} sides the sides that play
   */
  follow({ feedback, hint }, sides) {
    const words = feedback ?? "";
    const line = `${hint?.number ?? ""} ${words}`;
    if (line === this.last) return;
    this.last = line;
    this.show(words, `${hint?.team}` in sides ? `${hint?.team}` : "");
  }

  /** @param {string} words @param {string} [side] the side concerned, or "" */
  show(words, side = "") {
    clearTimeout(this.timer);
    Object.assign(this, { words, side, number: this.number + 1 });
    if (words) this.timer = setTimeout(() => this.show(""), STANDS_MS);
    this.changed();
  }

  /** Show a message of the page itself. Do nothing if it is already shown. @param {string} words */
  note(words) {
    if (this.words !== words) this.show(words);
  }
}

/** Line that the style sheet fades. @param {{feedback: Feedback}} props */
export function FadingLine({ feedback: { words, number } }) {
  return words && html`<span key=${number}>${words}</span>`;
}
