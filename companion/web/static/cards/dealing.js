// @ts-check
/**
 * The dialog in which cards are dealt: against the computer at a level, or to whoever sits where;
 * then the address of each person's hand, with a code to scan.
 */

import { say, sayings } from "../i18n/language.js";
import { make, write } from "../ui/dom.js";
import { ask } from "../net/post.js";
import { LEVELS, PLAYERS, seatName } from "../i18n/labels.js";
import { offerToLetIn } from "../pairing/let_phones_in.js";
import { handCode } from "../ui/qr_codes.js";

/** Duties of the players, by the house rule. @type {Record<string, string>} */
const MUGGINS = sayings({
  alley: "Muggins on the first 121 holes: there you count your cards yourself, and whoever calls points that you miss takes them. Beyond, the table counts.",
  on: "Muggins: you count your cards yourself, and whoever calls points that you miss takes them.",
  off: "The table counts all cards.",
});

export class Dealing {
  /**
   * @param {HTMLDialogElement} dialog
   * @param {import("../ui/about.js").About} about
   */
  constructor(dialog, about) {
    const { pages, teams } = about;
    this.dialog = dialog;
    this.page = pages[0] ?? "";
    this.teams = teams;
    this.form = /** @type {HTMLFormElement} */ (this.find("form"));
    this.seats = 0;
    /** The sides that play. @type {string[]} */
    this.playing = [];
    this.isDealt = false;
    offerToLetIn(this.find(".unreachable"), about);
    dialog.querySelector(".close")?.addEventListener("click", () => dialog.close());
    dialog.querySelector(".end")?.addEventListener("click", () => this.send("/api/cards/end", {}));
    this.find(".against").append(...Object.entries(LEVELS).map(([kind, words]) => this.level(kind, words)));
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.send("/api/cards", { seats: new FormData(this.form).getAll("seat") });
    });
  }

  /** @param {boolean} against the computer, at a level to choose; else to whoever sits where */
  open(against) {
    this.against = against;
    this.refuse("");
    this.showParts();
    this.dialog.showModal();
    if (this.isDealt) this.look();
    else this.explain();
  }

  /** Say what muggins asks of the players, where it is played. */
  async explain() {
    const { refusal, answer } = await ask("/api/new-game");
    this.refuse(refusal);
    write(this.dialog, ".muggins", MUGGINS[answer?.muggins] ?? "");
  }

  /**
   * @param {number} seats how many play
   * @param {string[]} playing the sides
   * @param {object | null} cards those that are dealt, if they are
   */
  show(seats, playing, cards) {
    const changed = this.isDealt !== (cards !== null);
    this.isDealt = cards !== null;
    if (changed && this.dialog.open) {
      this.showParts();
      if (this.isDealt) this.look();
    }
    if (seats === this.seats && `${playing}` === `${this.playing}`) return;
    this.seats = seats;
    this.playing = playing;
    const rows = Array.from({ length: seats }, (_, at) => this.seat(at + 1));
    this.find(".sitting").replaceChildren(...rows);
  }

  showParts() {
    write(this.dialog, "h2", this.against ? say("Play against the computer") : say("Deal cards"));
    this.find(".against").hidden = this.isDealt || !this.against;
    this.form.hidden = this.isDealt || this.against === true;
    this.find(".dealt").hidden = !this.isDealt;
    this.find(".muggins").hidden = this.isDealt;
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

  /** Fetch the addresses of the hands: a page loaded anew, or a table started anew, has them still. */
  async look() {
    const { refusal, answer } = await ask("/api/cards");
    this.refuse(refusal);
    if (answer) this.link(answer.hands);
  }

  /** @param {Record<string, string>} hands paths, by seat */
  link(hands) {
    const paths = Object.entries(hands);
    const rows = paths.map(([seat, path]) => this.hand(+seat, path, paths.length === 1));
    this.find(".links").replaceChildren(...rows);
  }

  /**
   * @param {number} seat
   * @param {string} path
   * @param {boolean} alone it is the only person's
   */
  hand(seat, path, alone) {
    const item = this.coloured(make("li", ""), seat);
    const name = alone ? say("Your hand") : this.name(seat);
    const link = /** @type {HTMLAnchorElement} */ (make("a", "", name));
    const { href } = new URL(path, this.page || location.origin);
    Object.assign(link, alone ? { href: path } : { href, target: "_blank", rel: "noopener" });
    if (this.page) item.append(handCode(new URL(href).searchParams, say("Code to scan: {what}", { what: name })));
    item.append(link);
    return item;
  }

  /**
   * A button that deals at once: a person at the first seat, the computer at all others.
   *
   * @param {string} kind
   * @param {string} words
   */
  level(kind, words) {
    const level = /** @type {HTMLButtonElement} */ (make("button", "plain level"));
    level.type = "button";
    level.append(make("strong", "", PLAYERS[kind]), make("span", "", words));
    level.addEventListener("click", () => {
      const seats = Array.from({ length: this.seats }, (_, at) => (at ? kind : "person"));
      this.send("/api/cards", { seats });
    });
    return level;
  }

  /** @param {number} number */
  seat(number) {
    const row = this.coloured(make("label", "number"), number);
    const choice = make("select", "plain");
    Object.assign(choice, { name: "seat" });
    choice.append(...Object.entries(PLAYERS).map(([kind, words]) => new Option(words, kind)));
    row.append(make("span", "name", this.name(number)), " ", choice);
    return row;
  }

  /** @param {number} seat */
  name(seat) {
    return seatName(seat, this.team(seat), this.seats > this.playing.length);
  }

  /** @param {number} seat */
  team(seat) {
    return this.teams[this.playing[(seat - 1) % this.playing.length]];
  }

  /**
   * @param {HTMLElement} element
   * @param {number} seat
   */
  coloured(element, seat) {
    element.style.setProperty("--team", this.team(seat)?.colour ?? "");
    return element;
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
