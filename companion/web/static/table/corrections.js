// @ts-check
/**
 * The dialogs that correct an earlier count and that place pegs, each with what it would change.
 */

import { choice, holeField, number } from "../ui/forms.js";
import { say } from "../i18n/language.js";
import { make, write } from "../ui/dom.js";
import { ask, post } from "../net/post.js";
import { Preview } from "./preview.js";

/** @typedef {import("../ui/forms.js").Option} Option */
/** @typedef {{entry: number, seq: number | null, hand: number, team: number, points: number | null, line: string}} Count */

class CommandDialog {
  /** @param {HTMLDialogElement} dialog */
  constructor(dialog) {
    this.dialog = dialog;
    this.form = /** @type {HTMLFormElement} */ (dialog.querySelector("form"));
    this.fields = /** @type {HTMLElement} */ (dialog.querySelector(".fields"));
    this.go = /** @type {HTMLButtonElement} */ (dialog.querySelector(".go"));
    this.preview = new Preview([], true);
    dialog.querySelector(".close")?.addEventListener("click", () => dialog.close());
    this.form.addEventListener("input", () => this.look());
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.send();
    });
  }

  /**
   * @param {Option[]} sides that play
   * @param {HTMLElement[]} fields
   */
  show(sides, fields) {
    this.preview.place.remove();
    this.preview = new Preview(sides, true);
    this.fields.replaceChildren(...fields);
    this.go.before(this.preview.place);
    if (!this.dialog.open) this.dialog.showModal();
    this.look();
  }

  /** @returns {object | null} the command of the form, null if it is not complete */
  command() {
    return null;
  }

  /** Show what the form would do; only then can it be sent. */
  async look() {
    this.go.disabled = true;
    write(this.dialog, ".refusal", this.fault());
    const command = this.form.checkValidity() ? this.command() : null;
    if (await this.preview.show(command)) this.go.disabled = false;
  }

  /** Return why the form cannot be sent; "" where something is still to be filled in. */
  fault() {
    const inputs = [...this.form.querySelectorAll("input")];
    const wrong = inputs.find(({ validity }) => !validity.valid && !validity.valueMissing);
    if (!wrong) return "";
    const { min: low, max: high } = wrong;
    return wrong.type === "number"
      ? say("Points are whole numbers from {low} to {high}.", { low, high })
      : say("A hole is a number, or one of a side path by its name.");
  }

  async send() {
    const command = this.command();
    if (this.go.disabled || !command) return;
    this.go.disabled = true;
    const refusal = await post("/api/command", command);
    write(this.dialog, ".refusal", refusal);
    if (!refusal) this.dialog.close();
  }
}

export class Correction extends CommandDialog {
  /** @type {Count[]} */
  counts = [];

  /**
   * @param {Option[]} sides that play
   * @param {number} [seq] the number of the count's entry in the log; without it the last count
   */
  async open(sides, seq) {
    const { refusal, answer } = await ask("/api/counts");
    this.counts = answer ?? [];
    const chosen = this.counts.find((count) => count.seq === seq) ?? this.counts[0];
    if (!chosen) return this.show(sides, [make("p", "", refusal || say("Nobody has counted in this game."))]);
    const which = make("select", "");
    which.setAttribute("name", "entry");
    for (const hand of new Set(this.counts.map((count) => count.hand))) {
      const group = make("optgroup", "");
      group.setAttribute("label", say("Hand {hand}", { hand }));
      for (const { entry, line } of this.counts.filter((count) => count.hand === hand)) {
        group.append(Object.assign(make("option", "", line), { value: entry, selected: entry === chosen.entry }));
      }
      which.append(group);
    }
    const label = make("label", "which", `${say("Which count?")} `);
    label.append(which);
    const gone = [{ value: "removed", label: say("Remove it") }];
    this.show(sides, [label, number("points", say("Points")), choice({ name: "gone", legend: "", options: gone, many: true })]);
    which.addEventListener("change", () => this.choose());
    this.choose();
  }

  /** Offer the points of the chosen count; one that can only be removed has none. */
  choose() {
    const points = this.chosen()?.points ?? null;
    const [input, gone] = this.inputs();
    input.value = points === null ? "" : `${points}`;
    gone.checked = points === null;
    this.look();
  }

  chosen() {
    const entry = Number(new FormData(this.form).get("entry"));
    return this.counts.find((count) => count.entry === entry);
  }

  /** @returns {HTMLInputElement[]} the points, and that the count is to be removed */
  inputs() {
    return ["points", "gone"].map((name) => /** @type {HTMLInputElement} */ (this.form.querySelector(`[name=${name}]`)));
  }

  async look() {
    if (this.counts.length) {
      const [input, gone] = this.inputs();
      input.disabled = gone.checked;
    }
    await super.look();
  }

  command() {
    const count = this.chosen();
    if (!count) return null;
    const [input, gone] = this.inputs();
    const points = gone.checked ? null : Number(input.value);
    return points === count.points && points !== null ? null : { correct: { entry: count.entry, points } };
  }
}

export class Placing extends CommandDialog {
  /** @param {Option[]} sides that play */
  open(sides) {
    this.show(sides, [
      choice({ name: "team", legend: say("Which side?"), options: sides }),
      holeField("front", say("Front peg on")),
      holeField("back", say("Back peg on")),
    ]);
  }

  command() {
    const data = new FormData(this.form);
    const [front, back] = ["front", "back"].map((name) => hole(`${data.get(name)}`.trim()));
    return { set_pegs: { team: Number(data.get("team")), front, back } };
  }
}

/** @param {string} text */
function hole(text) {
  return /^\d+$/.test(text) ? Number(text) : text;
}
