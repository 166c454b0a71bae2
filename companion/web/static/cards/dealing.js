// @ts-check
/**
 * The dialog in which cards are dealt: who sits where, then the address of each person's hand.
 */

import { say } from "../i18n/language.js";
import { make, write } from "../ui/dom.js";
import { ask } from "../net/post.js";
import { PLAYERS } from "../i18n/labels.js";

const KEPT_AS = "hands";

export class Dealing {
  /**
   * @param {HTMLDialogElement} dialog
   * @param {import("../ui/about.js").About} about
   */
  constructor(dialog, { pages, run }) {
    this.dialog = dialog;
    this.page = pages[0] ?? location.origin;
    this.run = run;
    this.form = /** @type {HTMLFormElement} */ (dialog.querySelector("form"));
    this.seats = 0;
    this.find(".unreachable").hidden = pages.length > 0;
    this.link(this.kept());
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
    if (cards === null && this.find(".links").hasChildNodes()) this.keep({});
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
    if (answer?.hands) this.keep(answer.hands);
  }

  /**
   * Show the hands' addresses, and have a page loaded anew show them still.
   *
   * @param {Record<string, string>} hands paths, by seat
   */
  keep(hands) {
    this.link(hands);
    try {
      sessionStorage.setItem(KEPT_AS, JSON.stringify({ run: this.run, hands }));
    } catch {
      // Then they are gone with this page.
    }
  }

  /** @returns {Record<string, string>} */
  kept() {
    try {
      const { run, hands } = JSON.parse(sessionStorage.getItem(KEPT_AS) ?? "{}");
      return run === this.run ? hands : {};
    } catch {
      return {};
    }
  }

  /** @param {Record<string, string>} hands */
  link(hands) {
    const links = Object.entries(hands).map(([seat, href]) => {
      const link = /** @type {HTMLAnchorElement} */ (make("a", "", say("Seat {seat}", { seat })));
      Object.assign(link, { href: new URL(href, this.page), target: "_blank", rel: "noopener" });
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
  const row = make("label", "number", `${say("Seat {seat}", { seat: number })} `);
  const choice = make("select", "plain");
  Object.assign(choice, { name: "seat" });
  choice.append(...Object.entries(PLAYERS).map(([kind, words]) => new Option(words, kind)));
  row.append(choice);
  return row;
}
