// @ts-check
/**
 * Pairing of this phone: its name, then a button held at the table; or the code that the table shows,
 * and a press of any button.
 */

import { say } from "../i18n/language.js";
import { make } from "../ui/dom.js";
import { ask } from "../net/post.js";

const KEPT_AS = "visit";
const RETRY_MS = 1000;
/** Statuses of a wrong code, and of too many: the same code can be entered again. */
const [WRONG, TOO_OFTEN] = [403, 429];

export class Join {
  /**
   * @param {HTMLElement} place that is filled
   * @param {"score" | "run"} right what this phone asks for
   * @param {() => void} done it has been let in
   * @param {{side: string, name: string}} [own] the side for which it keeps score
   */
  constructor(place, right, done, own) {
    this.right = right;
    this.side = own?.side ?? "";
    this.done = done;
    this.name = field(say("What is this phone called?"), {
      name: "name", maxLength: 40, required: true, autocomplete: "off", placeholder: "Anna",
    });
    this.code = field(say("Or enter the six digits that the table's screen or console shows"), {
      name: "code", maxLength: 6, pattern: "[0-9]{6}", required: true, inputMode: "numeric",
      autocomplete: "one-time-code", placeholder: "000000",
    });
    this.steps = {
      name: this.form(say("First the table must know this phone."), this.name, say("Join"), () => this.requestCode()),
      code: this.form(
        own ? say("Hold Enter of {name} at the table for a second.", own) : say("Hold Deal at the table for a second."),
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
    if (this.visit) this.waitForHold();
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
      name: input(this.name).value.trim() || say("a phone"), right: this.right, side: Number(this.side) || null,
    });
    if (refusal) return this.refuse(refusal);
    this.visit = answer.visit;
    keep({ visit: answer.visit, until: Date.now() + 1000 * answer.seconds });
    input(this.code).value = "";
    this.show("code");
    this.waitForHold();
  }

  /** Wait for the button held at the table, as long as this request is open; the code may come first. */
  async waitForHold() {
    const { visit } = this;
    const { status, refusal } = await ask(`/api/join/${visit}/hold`, {});
    if (visit !== this.visit || this.press.textContent) return;
    if (!refusal) return this.enter();
    if (status) return this.again(refusal);
    setTimeout(() => visit === this.visit && this.waitForHold(), RETRY_MS);
  }

  /** This phone has been let in. */
  enter() {
    keep({ visit: "", until: 0 });
    this.visit = "";
    this.done();
  }

  /** @param {string} why the request has come to nothing */
  again(why) {
    keep({ visit: "", until: 0 });
    this.visit = "";
    this.show("name");
    this.refuse(why);
    input(this.name).focus();
  }

  /** Send the code; the answer comes after a press of a button at the table. */
  async sendCode() {
    this.show("press");
    const { refusal, status } = await ask(`/api/join/${this.visit}`, { code: input(this.code).value });
    if (!refusal) return this.enter();
    if (status !== WRONG && status !== TOO_OFTEN) return this.again(refusal);
    this.show("code");
    this.refuse(refusal);
    input(this.code).select();
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
