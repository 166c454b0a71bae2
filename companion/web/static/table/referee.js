// @ts-check
/**
 * The referee's dialog: what went wrong is looked up, and what follows from it is sent.
 */

import { actions, mugginsRuling } from "./referee_forms.js";
import { offerOthers } from "../ui/forms.js";
import { Preview } from "./preview.js";
import { many, say } from "../i18n/language.js";
import { make, write } from "../ui/dom.js";
import { post } from "../net/post.js";

/** @typedef {import("./referee_forms.js").Ruling} Ruling */
/** @typedef {import("./referee_forms.js").Action} Action */
/** @typedef {import("./referee_forms.js").Grants} Grants */

export class Referee {
  /** @param {HTMLDialogElement} dialog */
  constructor(dialog) {
    this.dialog = dialog;
    this.search = /** @type {HTMLInputElement} */ (dialog.querySelector("[type='search']"));
    this.list = /** @type {HTMLElement} */ (dialog.querySelector(".rulings"));
    /** The rulings on show, by the words in which they are looked for. @type {Map<HTMLElement, string>} */
    this.cards = new Map();
    this.sending = false;
    this.search.addEventListener("input", () => this.filter());
    dialog.querySelector(".close")?.addEventListener("click", () => dialog.close());
  }

  /** @param {import("../ui/forms.js").Option[]} sides that play */
  async open(sides) {
    this.search.value = "";
    this.cards.clear();
    this.list.replaceChildren();
    write(this.dialog, ".found", "");
    this.dialog.showModal();
    try {
      const { rulings, grants } = await (await fetch("/api/referee")).json();
      const muggins = grants.erring.length ? [mugginsRuling()] : [];
      for (const ruling of [...muggins, ...rulings]) this.add(ruling, sides, grants);
      this.filter();
    } catch {
      write(this.dialog, ".found", say("The table cannot be reached."));
    }
  }

  /**
   * @param {Ruling} ruling
   * @param {import("../ui/forms.js").Option[]} sides
   * @param {Grants} grants
   */
  add(ruling, sides, grants) {
    const { rule, what, follows, words } = ruling;
    const card = make("li", "ruling");
    const heading = make("h3", "", `${what} `);
    heading.append(make("span", "rule", rule));
    card.append(heading, make("p", "follows", follows));
    card.append(...actions(ruling, sides, grants).map((action) => this.action(rule, action, sides)));
    this.cards.set(card, `${rule} ${what} ${follows} ${words}`.toLowerCase());
    this.list.append(card);
  }

  /** Leave those rulings that have all the words looked for. */
  filter() {
    const wanted = this.search.value.toLowerCase().split(/\s+/);
    let found = 0;
    for (const [card, text] of this.cards) {
      card.hidden = !wanted.every((word) => text.includes(word));
      if (!card.hidden) found += 1;
    }
    const words = found ? many(found, "{n} ruling", "{n} rulings") : say("No ruling has all these words");
    write(this.dialog, ".found", words);
  }

  /**
   * @param {string} rule
   * @param {Action} action
   * @param {import("../ui/forms.js").Option[]} sides
   */
  action(rule, action, sides) {
    const place = /** @type {HTMLDetailsElement} */ (make("details", "action"));
    place.name = "action"; // the browser keeps but one of a name open
    const opens = make("summary", "plain", action.opens);
    opens.setAttribute("aria-label", `${action.opens}, ${rule}`);
    place.append(opens, this.form(action, sides));
    return place;
  }

  /**
   * @param {Action} action
   * @param {import("../ui/forms.js").Option[]} sides
   */
  form(action, sides) {
    const preview = new Preview(sides, false);
    const form = /** @type {HTMLFormElement} */ (make("form", ""));
    const refusal = make("p", "refusal");
    refusal.setAttribute("role", "alert");
    const go = button("plain go", action.does);
    form.append(...action.fields, preview.place, go, refusal);
    const send = () => this.send(form, action.command(new FormData(form)));
    const sure = action.ask ? confirmation(form, go, action.ask, send) : send;
    form.addEventListener("change", () => {
      offerOthers(form);
      preview.show(form.checkValidity() ? action.command(new FormData(form)) : null);
    });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      sure();
    });
    return form;
  }

  /**
   * Send a form, unless one is on its way: two quick presses are one.
   *
   * @param {HTMLFormElement} form
   * @param {object} command
   */
  async send(form, command) {
    if (this.sending) return;
    this.sending = true;
    const refusal = await post("/api/command", command);
    this.sending = false;
    write(form, ".refusal", refusal);
    if (!refusal) this.dialog.close();
  }
}

/**
 * Have what a form does confirmed by a second press, on a button of its own.
 *
 * @param {HTMLFormElement} form
 * @param {HTMLElement} go the button that asks for the first
 * @param {(data: FormData) => string} ask what it will do, in words
 * @param {() => void} send
 * @returns {() => void} asks
 */
function confirmation(form, go, ask, send) {
  const place = make("div", "confirmation");
  const question = make("p", "question");
  const yes = button("plain go", say("Yes, it is so"));
  const no = button("plain", say("No"));
  yes.type = no.type = "button";
  place.setAttribute("role", "group");
  place.append(question, no, yes);
  place.hidden = true;
  go.after(place);
  const asking = (/** @type {boolean} */ now) => {
    place.hidden = !now;
    go.hidden = now;
  };
  form.addEventListener("change", () => asking(false));
  yes.addEventListener("click", send);
  no.addEventListener("click", () => {
    asking(false);
    go.focus();
  });
  return () => {
    question.textContent = ask(new FormData(form));
    place.setAttribute("aria-label", question.textContent);
    asking(true);
    no.focus(); // a key held too long must not confirm
  };
}

/**
 * @param {string} name
 * @param {string} text
 */
function button(name, text) {
  return /** @type {HTMLButtonElement} */ (make("button", name, text));
}
