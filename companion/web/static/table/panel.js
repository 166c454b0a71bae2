// @ts-check
/**
 * The panel below the board: for each side its numbers and buttons, and the table's buttons.
 */

import { adviceWords } from "./advice.js";
import { LABELS, padWords } from "../ui/button_labels.js";
import { codeImage } from "../ui/qr_codes.js";
import { make, write } from "../ui/dom.js";
import { many, percent, say, sayings } from "../i18n/language.js";
import { sideWords } from "./standing.js";
import { onPath } from "../i18n/labels.js";

/** @typedef {import("../i18n/labels.js").Side} Side */
/** @typedef {import("./button_input.js").ButtonInput} ButtonInput */

/** @type {Record<string, string>} */
const KEYS = { 1: "qwer", 2: "asdf", 3: "zxcv" };
/** @type {Record<string, string>} */
const TABLE_KEYS = { deal: " ", mode: "m" };
/** The same in full for a screen reader. @type {Record<string, string>} */
const IN_FULL = sayings({
  plus_one: "+1", plus_five: "+5", enter: "enter", undo: "undo", deal: "deal", mode: "mode",
});
const ORDER = ["plus_one", "plus_five", "enter", "undo"];

/** Letters from which on a name is set smaller. */
const LONG_NAME = 14;

export class Panel {
  /**
   * @param {HTMLElement} place
   * @param {import("../ui/about.js").About} about
   * @param {ButtonInput} input
   */
  constructor(place, about, input) {
    this.about = about;
    this.input = input;
    /** @type {Map<string, HTMLElement>} */
    this.sides = new Map();
    for (const [team, { name, colour }] of Object.entries(about.teams)) {
      const side = this.side(team, name, colour);
      this.sides.set(team, side);
      place.append(side);
    }
    if (about.press) place.append(this.buttonRow("table", Object.keys(TABLE_KEYS)));
  }

  /**
   * @param {string} team
   * @param {string} name
   * @param {string} colour
   */
  side(team, name, colour) {
    const side = make("section", "side");
    side.dataset.team = team;
    side.setAttribute("aria-label", name);
    side.style.setProperty("--team", colour);
    const numbers = make("div", "numbers");
    const chance = make("span", "chance");
    chance.title = say("Chance to win");
    numbers.append(make("span", "front"), make("span", "pending"), chance);
    const heading = make("h2", "name", name);
    heading.append(" ", make("span", "games"));
    side.classList.toggle("long", name.length > LONG_NAME);
    side.append(heading, numbers, make("p", "state"), make("p", "hint"), make("p", "advice"));
    if (this.about.press) side.append(this.buttonRow("team", ORDER.map((key) => `${team}.${key}`)));
    else if (this.about.near && this.about.pages.length) {
      side.append(codeImage(team, say("Code to scan: {what}", { what: padWords(name) })));
    }
    return side;
  }

  /**
   * @param {string} kind
   * @param {string[]} buttons
   */
  buttonRow(kind, buttons) {
    const row = make("div", `buttons ${kind}`);
    row.append(...buttons.filter((b) => this.about.buttons.includes(b)).map((b) => this.button(b)));
    return row;
  }

  /** @param {string} button */
  button(button) {
    const [team, action] = button.includes(".") ? button.split(".") : ["", button];
    const key = team ? KEYS[team][ORDER.indexOf(action)] : TABLE_KEYS[action];
    const keycap = key === " " ? "Space" : key.toUpperCase();
    const element = /** @type {HTMLButtonElement} */ (make("button", `arcade ${action}`));
    element.type = "button";
    element.dataset.button = button;
    const whose = team ? `${this.about.teams[team].name}, ` : "";
    element.setAttribute("aria-label", `${whose}${IN_FULL[action]}`);
    element.setAttribute("aria-keyshortcuts", keycap);
    const cap = make("kbd", "");
    cap.dataset.cap = key === " " ? say("Space") : keycap; // drawn by the style: told as a shortcut
    element.append(make("span", "dome", LABELS[action]), cap);
    this.input.bind(element, button, key);
    return element;
  }

  /**
   * @param {Record<string, Side>} sides those that play
   * @param {import("../i18n/labels.js").Match} match
   * @param {Record<string, import("./standing.js").Box>} boxes
   * @param {Record<string, number> | null} chances of each side to win, null for none to show
   */
  show(sides, { games }, boxes, chances) {
    const any = Object.values(games).some(Boolean);
    for (const [team, place] of this.sides) {
      place.classList.toggle("away", !(team in sides));
      if (team in sides) showSide(place, sides[team], boxes[team]);
      else clearSide(place);
      const chance = team in sides ? chances?.[team] : undefined;
      write(place, ".chance", chance === undefined ? "" : percent(chance));
      write(place, ".games", any && team in games ? many(games[team], "{n} game", "{n} games") : "");
    }
  }

  /**
   * Show a side why its press did not do what was meant; the style fades the line.
   *
   * @param {string} team "" for none
   * @param {string} words
   */
  hint(team, words) {
    for (const [side, place] of this.sides) {
      const hint = /** @type {HTMLElement} */ (place.querySelector("p.hint"));
      const line = side === team ? words : "";
      hint.replaceChildren(...(line ? [make("span", "", line)] : []));
      place.classList.toggle("hinted", line !== "");
    }
  }

  /** @param {Record<string, import("./advice.js").Advice>} advice */
  advise(advice) {
    for (const [team, place] of this.sides) {
      write(place, ".advice", advice[team] ? adviceWords(advice[team]) : "");
    }
  }

  /**
   * Have the Deal button blink, or stop it.
   *
   * @param {boolean} now true after a count that only a new deal would allow
   */
  suggestDeal(now) {
    this.input.elements.get("deal")?.classList.toggle("hint", now);
  }
}

/**
 * @param {HTMLElement} place
 * @param {Side} side
 * @param {import("./standing.js").Box | undefined} box
 */
function showSide(place, side, box) {
  const path = onPath(side.front);
  write(place, ".front", path?.short ?? `${side.front}`);
  write(place, ".pending", side.pending ? `+${side.pending}` : "");
  write(place, ".state", sideWords(side, box));
  place.classList.toggle("path", path !== null);
  place.classList.toggle("out", side.folded || side.boxed > 0 || box !== undefined);
}

/** @param {HTMLElement} place of a side that does not play */
function clearSide(place) {
  for (const where of [".front", ".pending"]) write(place, where, "");
  write(place, ".state", say("not playing"));
  place.classList.remove("path", "out");
}
