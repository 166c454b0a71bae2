// @ts-check
/**
 * The questions for a new board, one a screen; each answer is saved on going on.
 */

import { field, select } from "../ui/inputs.js";
import { say, sayings } from "../i18n/language.js";
import { colourField, fields, warnings } from "./settings.js";
import { make } from "../ui/dom.js";

/** @typedef {import("./draft.js").Draft} Draft */
/** @typedef {import("./draft.js").Setting} Setting */
/** @typedef {import("./draft.js").Step} Step */
/**
 * Parts of the page that the questions embed.
 *
 * @typedef {{lightTest: () => HTMLElement, calibration: () => HTMLElement,
 *   findings: () => HTMLElement, done: () => void}} Lent
 */

/** @type {Record<string, string>} */
const DRIVERS = sayings({
  virtual: "No lights: the board is drawn on the page",
  "rpi_ws281x:spi": "A strip on GPIO 10, Raspberry Pi up to 4",
  "rpi_ws281x:pwm": "A strip on GPIO 18, Raspberry Pi up to 4, as root",
  "pio:/dev/leds0": "A strip on a Raspberry Pi 5",
  serial: "A strip behind a board at a USB port",
});
/** @type {Record<string, string>} */
const BOARDS = sayings({ "crib-wars": "Crib Wars, the long track", classic: "Classic, 121 holes", "classic-61": "Classic, 61 holes" });
/** @type {Record<string, string>} */
const TEAMS = sayings({ 2: "Two sides", 3: "Three sides" });
/** @type {Record<string, string>} */
const PLAYERS = sayings({ 0: "One player a side", 4: "Four, two a side", 6: "Six, two a side" });

export class Wizard {
  /**
   * @param {HTMLElement} place that is filled
   * @param {Draft} draft
   * @param {Lent} lent
   */
  constructor(place, draft, lent) {
    this.place = place;
    this.draft = draft;
    this.lent = lent;
    this.at = 0;
    /** Listeners of the step on show. @type {(() => void)[]} */
    this.own = [];
    this.show(false);
  }

  /** @param {boolean} focus true after a key or a tap */
  show(focus = true) {
    const { draft } = this;
    const { steps } = draft.told;
    const step = steps[this.at];
    const others = draft.watchers.filter((watcher) => !this.own.includes(watcher));
    draft.watchers = [...others];
    const title = make("h2", "", step ? step.title : say("That is all"));
    title.tabIndex = -1;
    const told = step ? say("Question {n} of {of}", { n: this.at + 1, of: steps.length }) : say("Done");
    const form = /** @type {HTMLFormElement} */ (make("form", "step"));
    form.noValidate = true;
    form.toggleAttribute("data-ended", !step);
    form.append(make("p", "progress", told), title);
    form.append(...(step ? [make("p", "lead", step.help), ...this.asked(step)] : this.ending()));
    form.append(this.buttons(step));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.next(step);
    });
    this.place.replaceChildren(form);
    this.own = draft.watchers.filter((watcher) => !others.includes(watcher));
    if (focus) title.focus();
  }

  /** @param {Step | undefined} step */
  buttons(step) {
    const row = make("div", "buttons-row");
    const back = button(say("Back"), () => this.go(-1));
    const skip = button(say("Skip"), () => this.skip());
    const next = button(step ? say("Next") : say("To the board"), () => {});
    next.type = "submit";
    next.classList.add("go");
    back.hidden = this.at === 0;
    row.append(back, ...(step ? [skip] : []), next);
    return row;
  }

  /** @param {number} by */
  go(by) {
    this.at += by;
    this.show();
  }

  skip() {
    this.draft.drop();
    this.go(1);
  }

  /**
   * Save the answer, and go on if that succeeds.
   *
   * @param {Step | undefined} step
   */
  async next(step) {
    if (!step) return this.lent.done();
    const { draft } = this;
    // A file that says something is what tells a board that was set up from a new one.
    if (step.id === "board" && draft.told.first_run) draft.changes.board ??= draft.value("board");
    if (draft.count && !(await draft.save())) {
      return void /** @type {HTMLElement | null} */ (this.place.querySelector("[aria-invalid=true]"))?.focus();
    }
    this.go(1);
  }

  /**
   * @param {Step} step
   * @returns {HTMLElement[]}
   */
  asked(step) {
    const { draft } = this;
    const setting = (/** @type {string} */ key) => /** @type {Setting} */ (draft.setting(key));
    switch (step.id) {
      case "board":
        return cards(draft, "board", named(BOARDS, setting("board").suggested), {
          title: step.title, other: say("A board file of your own"),
        });
      case "strip":
        return [
          ...cards(draft, "strip.driver", DRIVERS, { title: step.title, other: say("Something else") }),
          field(draft, "strip.type"),
          more(say("If red, green and blue come out wrong, or on other pins"), [
            field(draft, "strip.order"),
            field(draft, "strip.pins"),
          ]),
        ];
      case "light-test":
        return [this.lent.lightTest()];
      case "wiring":
        return [
          make("p", "", say("If they lie as the building guide says, go on. Else find out by tapping.")),
          this.lent.calibration(),
        ];
      case "sides":
        return this.sides(setting("names"), setting("lights.colours"));
      case "rules":
        return [field(draft, "preset"), more(say("Single rules"), rules(draft))];
      default:
        return step.keys.flatMap((key) => fields(draft, setting(key)));
    }
  }

  /**
   * @param {Setting} names
   * @param {Setting} colours
   */
  sides(names, colours) {
    const { draft } = this;
    const chosen = (/** @type {string} */ key) => (/** @type {string} */ text) => draft.set(key, Number(text));
    const numbers = (/** @type {Record<string, string>} */ words, /** @type {string} */ key) => ({
      control: select(Object.keys(words), chosen(key), words),
    });
    const places = ["1", "2", "3"].map((side) => {
      const group = make("fieldset", "side-asked");
      group.append(
        make("legend", "", say("Side {side}", { side })),
        field(draft, `names.${side}`, { setting: names, label: say("Name of side {side}", { side }), help: "" }),
        colourField(draft, colours, side),
      );
      return group;
    });
    const show = () => void (places[2].hidden = draft.value("teams") !== 3);
    draft.watchers.push(show);
    show();
    return [
      field(draft, "teams", { ...numbers(TEAMS, "teams"), help: "" }),
      field(draft, "players", { ...numbers(PLAYERS, "players"), help: "" }),
      ...places,
      warnings(draft),
    ];
  }

  /** Return the last screen: what remains to be done. */
  ending() {
    const words = this.draft.told.pending
      ? say("Your answers are kept. They count once the table is started anew, below.")
      : say("Your answers are kept. All of them can be changed under Settings.");
    return [make("p", "lead", words), this.lent.findings()];
  }
}

/** @param {Draft} draft */
function rules(draft) {
  const asked = draft.told.settings.filter(({ key }) => key.startsWith("rules."));
  return asked.flatMap((each) => fields(draft, each));
}

/**
 * @param {string} words
 * @param {() => void} act
 */
function button(words, act) {
  const one = /** @type {HTMLButtonElement} */ (make("button", "plain", words));
  one.type = "button";
  one.addEventListener("click", act);
  return one;
}

/**
 * @param {string} title
 * @param {HTMLElement[]} rows
 */
function more(title, rows) {
  const part = make("details", "more");
  part.append(make("summary", "", title), ...rows);
  return part;
}

/**
 * @param {Record<string, string>} words
 * @param {string[]} values
 */
function named(words, values) {
  return Object.fromEntries(values.map((value) => [value, words[value] ?? value]));
}

/**
 * A choice among known values, each on a card, and a line for any other.
 *
 * @param {Draft} draft
 * @param {string} key
 * @param {Record<string, string>} words
 * @param {{title: string, other: string}} called
 * @returns {HTMLElement[]}
 */
function cards(draft, key, words, { title, other }) {
  const group = make("fieldset", "cards-asked");
  group.append(make("legend", "hidden", title));
  const own = field(draft, key, { label: other });
  const known = draft.value(key) in words;
  own.hidden = known;
  for (const [value, label] of [...Object.entries(words), ["", `${other} …`]]) {
    const row = make("label", "option card-asked");
    const input = /** @type {HTMLInputElement} */ (make("input", ""));
    Object.assign(input, { type: "radio", name: key, value });
    input.checked = known ? draft.value(key) === value : value === "";
    input.addEventListener("change", () => {
      own.hidden = value !== "";
      if (value) draft.set(key, value);
      else own.querySelector("input")?.focus();
    });
    const text = make("span", "", label);
    if (value) text.append(make("small", "", value));
    row.append(input, text);
    group.append(row);
  }
  const fault = make("p", "fault");
  fault.setAttribute("role", "alert");
  draft.watchers.push(() => void (fault.textContent = own.hidden ? draft.faultsOf(key).join(" ") : ""));
  return [group, own, fault];
}
