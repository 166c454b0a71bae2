// @ts-check
/**
 * Pairing of this phone: its name, the code that the table shows, then a press at the table.
 */

import { say } from "../i18n/language.js";
import { make } from "../ui/dom.js";
import { ask } from "../net/post.js";

const KEPT_AS = "visit";

export class Join {
  /**
   * @param {HTMLElement} place that is filled
   * @param {"score" | "run"} right what this phone asks for
   * @param {() => void} done it has been let in
   */
  constructor(place, right, done) {
    this.right = right;
    this.done = done;
    this.name = field(say("What is this phone called?"), {
      name: "name", maxLength: 40, required: true, autocomplete: "off", placeholder: "Anna",
    });
    this.code = field(say("The code"), {
      name: "code", maxLength: 6, pattern: "[0-9]{6}", required: true, inputMode: "numeric",
      autocomplete: "one-time-code", placeholder: "000000",
    });
    this.steps = {
      name: this.form(say("First the table must know this phone."), this.name, say("Join"), () => this.requestCode()),
      code: this.form(
        say("The table shows six digits, on its console and on the screen beside it."),
        this.code, say("Send the code"), () => this.sendCode(),
      ),
    };
    this.press = make("p", "press");
    this.press.setAttribute("role", "status");
    this.refusal = make("p", "refusal");
    this.refusal.setAttribute("role", "alert");
    place.replaceChildren(...Object.values(this.steps), this.press, this.refusal);
    this.visit = kept();
    this.show(this.visit ? "code" : "name");
  }

  /**
   * @param {string} lead
   * @param {HTMLElement} row
   * @param {string} does
   * @param {() => void} act
   */
  form(lead, row, does, act) {
    const form = make("form", "");
    const go = /** @type {HTMLButtonElement} */ (make("button", "plain go", does));
    go.type = "submit";
    form.append(make("p", "lead", lead), row, go);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.refuse("");
      act();
    });
    return form;
  }

  /** Ask to join; the table then shows the code. */
  async requestCode() {
    const { refusal, answer } = await ask("/api/join", {
      name: input(this.name).value.trim() || say("a phone"), right: this.right,
    });
    if (refusal) return this.refuse(refusal);
    this.visit = answer.visit;
    keep({ visit: answer.visit, until: Date.now() + 1000 * answer.seconds });
    input(this.code).value = "";
    this.show("code");
    input(this.code).focus();
  }

  /** Send the code; the answer comes after a press of a button at the table. */
  async sendCode() {
    this.show("press");
    const { refusal } = await ask(`/api/join/${this.visit}`, { code: input(this.code).value });
    keep({ visit: "", until: 0 });
    if (!refusal) return this.done();
    this.show("name");
    this.refuse(refusal);
    input(this.name).focus();
  }

  /** @param {"name" | "code" | "press"} now */
  show(now) {
    for (const [step, place] of Object.entries(this.steps)) place.hidden = step !== now;
    this.press.textContent = now === "press" ? say("Now press any button at the table.") : "";
  }

  /** @param {string} why */
  refuse(why) {
    this.refusal.textContent = why;
  }
}

/**
 * @param {string} label
 * @param {Partial<HTMLInputElement>} how
 */
function field(label, how) {
  const row = make("label", "field", `${label} `);
  const box = make("input", "");
  Object.assign(box, { type: "text" }, how);
  row.append(box);
  return row;
}

/** @param {HTMLElement} row */
function input(row) {
  return /** @type {HTMLInputElement} */ (row.querySelector("input"));
}

/** Return the id of this phone's open request, which survives a reload. */
function kept() {
  try {
    const { visit, until } = JSON.parse(sessionStorage.getItem(KEPT_AS) ?? "{}");
    return until > Date.now() ? visit : "";
  } catch {
    return "";
  }
}

/** @param {{visit: string, until: number}} visit */
function keep(visit) {
  try {
    sessionStorage.setItem(KEPT_AS, JSON.stringify(visit));
  } catch {
    // Then a page loaded anew asks anew.
  }
}
