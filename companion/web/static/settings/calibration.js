// @ts-check
/**
 * Calibration of the wiring: one light is on, and the user taps the place where it is seen.
 */

import { answered, isDone } from "./draft.js";
import { say, sayings } from "../i18n/language.js";
import { make } from "../ui/dom.js";

/**
 * @typedef {{x_mm: number, y_mm: number, name: string}} Spot
 * @typedef {{channel: number, first: number, last: number, asked: "where" | "any" | "dark",
 *   likely: Spot[]}} Lit
 * @typedef {{begun: boolean, asked: Lit | null, answers: number, found: string[],
 *   missing: string[], note: string, width_mm: number, height_mm: number}} Calibrated
 */

const ASKED = sayings({
  where: "One light is on. Tap the hole where you see it: most likely at a ring.",
  any: "Is any light on, wherever it may be?",
  dark: "All lights of this wire are on. Tap a hole that stays dark.",
});
const LIGHTS = sayings({
  "hole-and-lane": "One a hole in each lane",
  hole: "One a hole, which the lanes share",
});
const WIRES = sayings({ 1: "One", 2: "Two" });
const NONE = sayings({ where: "I see no light", any: "No light", dark: "None stays dark" });

export class Calibration {
  /** @param {() => void} saved something was written into the settings */
  constructor(saved) {
    this.saved = saved;
    this.place = make("div", "calibration");
    this.question = make("p", "question");
    this.question.setAttribute("role", "status");
    this.progress = make("p", "progress");
    this.fault = make("p", "fault");
    this.fault.setAttribute("role", "alert");
    this.picture = /** @type {HTMLImageElement} */ (make("img", ""));
    this.picture.alt = say("The printed board");
    this.sheet = make("div", "tapped-sheet");
    this.sheet.addEventListener("click", (event) => this.tapped(event));
    this.frame = make("div", "tapped-frame");
    this.frame.append(this.sheet);
    /** @type {Calibrated | null} */
    this.told = null;
    this.resume();
  }

  /** Resume a calibration that was begun, or offer to begin one. */
  async resume() {
    const answer = await answered("/api/calibration");
    if (isDone(answer) && answer.value.begun) this.show(answer.value);
    else this.offer();
  }

  offer() {
    const per = choice(say("How many lights are there?"), LIGHTS);
    const channels = choice(say("How many data wires?"), WIRES);
    const begin = action(say("Begin"), () =>
      this.ask({ begin: { per: chosen(per), channels: Number(chosen(channels)) } }),
    );
    begin.classList.add("go");
    this.place.replaceChildren(per, channels, begin, this.fault);
  }

  /** @param {object} value */
  async ask(value) {
    const answer = await answered("/api/calibration", value);
    this.fault.textContent = isDone(answer) ? "" : answer.value.error;
    if (isDone(answer)) this.show(answer.value);
  }

  /** @param {Calibrated} told */
  show(told) {
    const before = this.told;
    this.told = told;
    if (!told.begun) return this.offer();
    const { asked, found, missing } = told;
    this.progress.textContent = [
      say("{n} of {of} pieces of strip found.", { n: found.length, of: found.length + missing.length }),
      told.note,
    ].join(" ").trim();
    this.question.textContent = asked ? ASKED[asked.asked] : ended(missing);
    if (!before?.begun) this.build();
    this.draw(asked, told);
    this.place.classList.toggle("no-picture", asked?.asked === "any" || !asked);
  }

  /** The parts of a calibration that is going on. */
  build() {
    this.picture.src = `/calibration.svg?${Date.now()}`;
    this.rows = {
      any: action(say("Yes, I see light"), () => this.tap(this.middle())),
      none: action(NONE.where, () => this.ask({ nothing: true })),
      back: action(say("Go back"), () => this.ask({ undo: true })),
      save: action(say("Save the wiring"), () => this.save()),
      zoom: action(say("Larger"), () => this.zoom()),
      stop: action(say("Stop"), () => this.ask({ end: "drop" })),
    };
    this.rows.save.classList.add("go");
    const row = make("div", "buttons-row");
    row.append(...Object.values(this.rows));
    this.place.replaceChildren(this.question, row, this.fault, this.frame, this.progress);
    if (matchMedia("(max-width: 700px)").matches) this.zoom();
  }

  /**
   * @param {Lit | null} asked
   * @param {Calibrated} told
   */
  draw(asked, { answers, missing, width_mm, height_mm }) {
    const rows = /** @type {Record<string, HTMLElement>} */ (this.rows);
    rows.any.hidden = asked?.asked !== "any";
    rows.none.hidden = !asked;
    if (asked) rows.none.textContent = NONE[asked.asked];
    rows.back.hidden = answers === 0;
    rows.save.hidden = asked !== null || missing.length > 0;
    rows.zoom.hidden = !asked || asked.asked === "any";
    const dots = (asked?.likely ?? []).map((spot) => this.dot(spot, width_mm, height_mm));
    this.sheet.style.aspectRatio = `${width_mm / height_mm}`;
    this.sheet.replaceChildren(this.picture, ...dots);
  }

  /**
   * A place where the light may well be, as a button for keyboards, too.
   *
   * @param {Spot} spot
   * @param {number} width
   * @param {number} height
   */
  dot(spot, width, height) {
    const dot = action("", (event) => {
      event.stopPropagation();
      this.tap(spot);
    });
    dot.className = "dot";
    dot.setAttribute("aria-label", say("It is at {name}", { name: spot.name }));
    dot.style.left = `${(100 * spot.x_mm) / width}%`;
    dot.style.top = `${(100 * spot.y_mm) / height}%`;
    return dot;
  }

  /** @param {MouseEvent} event */
  tapped({ clientX, clientY }) {
    if (!this.told?.asked) return;
    const { left, top, width, height } = this.sheet.getBoundingClientRect();
    const { width_mm, height_mm } = this.told;
    this.tap({ x_mm: ((clientX - left) / width) * width_mm, y_mm: ((clientY - top) / height) * height_mm });
  }

  /** @param {{x_mm: number, y_mm: number}} where */
  tap({ x_mm, y_mm }) {
    return this.ask({ tap: { x_mm, y_mm } });
  }

  middle() {
    const { width_mm = 0, height_mm = 0 } = this.told ?? {};
    return { x_mm: width_mm / 2, y_mm: height_mm / 2 };
  }

  /** Show the board larger than the screen, or whole. */
  zoom() {
    const large = this.frame.classList.toggle("large");
    if (this.rows) this.rows.zoom.textContent = large ? say("Whole board") : say("Larger");
  }

  async save() {
    await this.ask({ end: "save" });
    if (this.fault.textContent) return;
    const done = make("p", "seen", say("The wiring is kept. It counts once the table is started anew."));
    done.setAttribute("role", "status");
    this.place.prepend(done);
    this.saved();
  }
}

/** @param {string[]} missing */
function ended(missing) {
  if (!missing.length) return say("All is known. Save it, and the board is wired.");
  const names = missing.join(", ");
  return say("No light was seen in {names}. See that the data wire gets there, then go back.", { names });
}

/**
 * @param {string} legend
 * @param {Record<string, string>} options of which the first is chosen
 */
function choice(legend, options) {
  const field = make("fieldset", "cards-asked");
  field.append(make("legend", "", legend));
  for (const [n, [value, words]] of Object.entries(options).entries()) {
    const row = make("label", "option card-asked");
    const input = make("input", "");
    Object.assign(input, { type: "radio", name: legend, value, checked: n === 0 });
    row.append(input, make("span", "", words));
    field.append(row);
  }
  return field;
}

/** @param {HTMLElement} field */
function chosen(field) {
  return /** @type {HTMLInputElement} */ (field.querySelector("input:checked")).value;
}

/**
 * @param {string} words
 * @param {(event: MouseEvent) => void} act
 */
function action(words, act) {
  const one = /** @type {HTMLButtonElement} */ (make("button", "plain", words));
  one.type = "button";
  one.addEventListener("click", act);
  return one;
}
