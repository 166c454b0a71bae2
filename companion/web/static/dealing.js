// @ts-check
/**
 * The dialog in which cards are dealt: who sits where, then the address of each person's hand.
 */

import { make, write } from "./panel.js";
import { ask } from "./post.js";

const KINDS = ["person", "child", "regular", "shark"];

export class Dealing {
  /** @param {HTMLDialogElement} dialog */
  constructor(dialog) {
    this.dialog = dialog;
    this.form = /** @type {HTMLFormElement} */ (dialog.querySelector("form"));
    this.seats = 0;
    dialog.querySelector(".close")?.addEventListener("click", () => dialog.close());
    dialog.querySelector(".end")?.addEventListener("click", () => this.send("/api/cards/end", {}));
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      const seats = new FormData(this.form).getAll("seat");
      this.send("/api/cards", { seats });
    });
  }

  open() {
    this.refuse("");
    this.dialog.showModal();
  }

  /**
   * @param {number} seats how many play
   * @param {object | null} cards those that are dealt, if they are
   */
  show(seats, cards) {
    this.form.hidden = cards !== null;
    this.find(".dealt").hidden = cards === null;
    if (cards === null) this.link({});
    if (seats === this.seats) return;
    this.seats = seats;
    this.find(".sitting").replaceChildren(...Array.from({ length: seats }, (_, at) => seat(at + 1)));
  }

  /**
   * @param {string} path
   * @param {object} value
   */
  async send(path, value) {
    const { refusal, answer } = await ask(path, value);
    this.refuse(refusal);
    if (answer?.hands) this.link(answer.hands);
  }

  /** @param {Record<string, string>} hands addresses, by seat */
  link(hands) {
    const links = Object.entries(hands).map(([seat, href]) => {
      const link = /** @type {HTMLAnchorElement} */ (make("a", "", `Seat ${seat}`));
      Object.assign(link, { href, target: "_blank", rel: "noopener" });
      const item = make("li", "");
      item.append(link, make("span", "", ` ${link.href}`));
      return item;
    });
    this.find(".links").replaceChildren(...links);
  }

  /** @param {string} why */
  refuse(why) {
    write(this.dialog, ".refusal", why);
  }

  /** @param {string} where */
  find(where) {
    return /** @type {HTMLElement} */ (this.dialog.querySelector(where));
  }
}

/** @param {number} number */
function seat(number) {
  const row = make("label", "number", `Seat ${number} `);
  const choice = make("select", "plain");
  Object.assign(choice, { name: "seat" });
  choice.append(...KINDS.map((kind) => make("option", "", kind)));
  row.append(choice);
  return row;
}
