// @ts-check
/**
 * The dialog about phones: the codes that bring one to a side's pad, and those that were let in.
 */

import { offerToLetIn } from "./let_phones_in.js";
import { codeImage } from "../ui/qr_codes.js";
import { locale, say, sayings } from "../i18n/language.js";
import { make, reconcile, write } from "../ui/dom.js";
import { padWords } from "../ui/button_labels.js";
import { post } from "../net/post.js";

/** @typedef {{id: string, name: string, right: "score" | "run", since: string, own: boolean}} Phone */

const MAY = sayings({ score: "keeps score", run: "runs the table" });

export class Phones {
  /**
   * @param {HTMLDialogElement} dialog
   * @param {import("../ui/about.js").About} about
   */
  constructor(dialog, about) {
    this.dialog = dialog;
    this.about = about;
    offerToLetIn(this.find(".unreachable"), about);
    this.find(".let-in").hidden = about.right !== "run";
    this.find(".close").addEventListener("click", () => dialog.close());
  }

  /** @param {string[]} playing the sides that play */
  open(playing) {
    const [page] = this.about.pages;
    const codes = ["", ...playing].filter(() => page);
    reconcile(this.find(".codes"), codes, (side) => this.code(side, page));
    write(this.dialog, ".refusal", "");
    this.dialog.showModal();
    this.look();
  }

  /**
   * A code to scan, with the address in letters.
   *
   * @param {string} side whose pad it opens; "": the board's page
   * @param {string} page
   */
  code(side, page) {
    const team = this.about.teams[side];
    const figure = make("figure", "");
    const caption = make("figcaption", "", team ? padWords(team.name) : say("The board"));
    const link = /** @type {HTMLAnchorElement} */ (make("a", "", page + padPath(side)));
    link.href = link.textContent ?? "";
    if (team) figure.style.setProperty("--team", team.colour);
    const words = say("Code to scan: {what}", { what: caption.textContent });
    figure.append(codeImage(side, words), caption, link);
    return figure;
  }

  /** Fetch who has been let in, if this page may know, while the dialog is open. */
  async look() {
    if (this.about.right !== "run" || !this.dialog.open) return;
    try {
      const answer = await fetch("/api/phones");
      if (answer.ok) this.show(await answer.json());
    } catch {
      write(this.dialog, ".refusal", say("The table cannot be reached."));
    }
  }

  /** @param {Phone[]} phones the latest last */
  show(phones) {
    const known = new Map(phones.reverse().map((phone) => [phone.id, phone]));
    const none = say("None yet: a phone that opens a score pad asks for it.");
    write(this.dialog, ".none", phones.length ? "" : none);
    reconcile(this.find(".in"), [...known.keys()], (id) => this.row(/** @type {Phone} */ (known.get(id))));
  }

  /** @param {Phone} phone */
  row({ id, name, right, since, own }) {
    const row = make("li", "");
    const forget = /** @type {HTMLButtonElement} */ (make("button", "plain", say("Forget")));
    forget.type = "button";
    forget.setAttribute("aria-label", say("Forget {name}", { name }));
    forget.addEventListener("click", () => this.forget(id, own));
    const values = { may: MAY[right], day: new Date(since).toLocaleDateString(locale()) };
    const may = own ? say("{may}, since {day}, this phone", values) : say("{may}, since {day}", values);
    row.append(make("span", "name", name), make("span", "may", may), forget);
    return row;
  }

  /**
   * @param {string} id
   * @param {boolean} own
   */
  async forget(id, own) {
    const refusal = await post("/api/phones/forget", { id });
    write(this.dialog, ".refusal", refusal);
    if (own && !refusal) location.reload();
    else this.look();
  }

  /** @param {string} where */
  find(where) {
    return /** @type {HTMLElement} */ (this.dialog.querySelector(where));
  }
}

/** @param {string} side */
function padPath(side) {
  return side && `pad?side=${side}`;
}
