// @ts-check
/**
 * The race of a game as a chart: a line a side, how far it had come at each place of the game.
 */

import { say } from "../i18n/language.js";

const SVG = "http://www.w3.org/2000/svg";
/** Room around the lines, and what words take, in parts of a letter's height on the page. */
const MARGIN = { left: 2.6, right: 0.4, top: 0.8, bottom: 1.8 };
const LETTER = 0.54;
const LINE = 1.15;
const MOST_LETTERS = 14;
const STEPS = [5, 10, 20, 30, 60, 100, 200];
const MOST_LINES = 7;
/** A line is known by more than its colour. */
const DASHES = ["", "9 4", "3 4"];

/** @typedef {{team: string, name: string, colour: string, progress: number[]}} Line */

export class Chart {
  /**
   * @param {HTMLElement} place
   * @param {(at: number) => void} picked a place was pointed at
   */
  constructor(place, picked) {
    this.place = place;
    this.picked = picked;
    /** @type {Line[]} */
    this.lines = [];
    this.finish = 1;
    this.title = "";
    this.at = 0;
    this.letter = 16;
    this.left = this.right = this.top = this.bottom = 0;
    /** @type {SVGElement | null} */
    this.cursor = null;
    new ResizeObserver(() => this.draw()).observe(place);
  }

  /**
   * @param {Line[]} lines
   * @param {number} finish
   * @param {string} title what it shows, for who does not see it
   */
  show(lines, finish, title) {
    Object.assign(this, { lines, finish, title, at: 0 });
    this.draw();
  }

  /** @param {number} at the place to mark */
  mark(at) {
    this.at = at;
    this.drawCursor();
  }

  get last() {
    return Math.max(1, (this.lines[0]?.progress.length ?? 1) - 1);
  }

  draw() {
    const { width, height } = this.place.getBoundingClientRect();
    if (!width || !this.lines.length) return;
    const letter = (this.letter = parseFloat(getComputedStyle(document.documentElement).fontSize));
    const names = Math.max(...this.lines.map(({ name }) => short(name).length));
    this.left = MARGIN.left * letter;
    this.right = width - MARGIN.right * letter - (names + 5) * LETTER * letter;
    this.top = MARGIN.top * letter;
    this.bottom = height - MARGIN.bottom * letter;
    const svg = part("svg", { viewBox: `0 0 ${width} ${height}`, role: "img" });
    svg.setAttribute("aria-label", this.title);
    svg.append(...this.grid(), ...this.lines.map((line, n) => this.drawn(line, n)), ...this.ends());
    this.cursor = part("g", { class: "cursor" });
    svg.append(this.cursor);
    svg.addEventListener("click", (event) => this.pick(event.offsetX));
    this.place.replaceChildren(svg);
    this.drawCursor();
  }

  /** @param {number} place */
  x(place) {
    return this.left + (this.right - this.left) * (place / this.last);
  }

  /** @param {number} hole */
  y(hole) {
    return this.bottom - (this.bottom - this.top) * (hole / this.finish);
  }

  grid() {
    const step = STEPS.find((each) => this.finish / each <= MOST_LINES) ?? this.finish;
    const holes = [this.finish];
    for (let hole = 0; hole < this.finish - step / 3; hole += step) holes.push(hole);
    const { left, right, letter } = this;
    const levels = holes.flatMap((hole) => [
      part("line", { class: "level", x1: left, x2: right, y1: this.y(hole), y2: this.y(hole) }),
      words(`${hole}`, { x: left - letter / 2, y: this.y(hole) + 0.3 * letter, "text-anchor": "end" }),
    ]);
    const under = this.bottom + 1.3 * letter;
    return [
      ...levels,
      words(say("start"), { x: left, y: under }),
      words(`${this.last}`, { x: right, y: under, "text-anchor": "end" }),
    ];
  }

  /**
   * @param {Line} line
   * @param {number} number
   */
  drawn({ team, colour, progress }, number) {
    const points = progress.map((hole, at) => `${this.x(at)},${this.y(hole)}`).join(" ");
    const dash = DASHES[number % DASHES.length];
    return part("polyline", { class: "race", points, stroke: colour, "stroke-dasharray": dash, "data-team": team });
  }

  /** The names where the lines end, kept apart. */
  ends() {
    const ends = this.lines.map((line) => ({ line, y: this.y(line.progress.at(-1) ?? 0) }));
    ends.sort((a, b) => a.y - b.y);
    ends.forEach((end, n) => {
      if (n) end.y = Math.max(end.y, ends[n - 1].y + LINE * this.letter);
    });
    return ends.map(({ line: { name, colour, progress }, y }) =>
      words(`${short(name)} ${progress.at(-1)}`, { x: this.right + this.letter / 2, y: y + 0.3 * this.letter, fill: colour }),
    );
  }

  drawCursor() {
    const x = this.x(this.at);
    const spots = this.lines.map(({ colour, progress }) =>
      part("circle", { cx: x, cy: this.y(progress[this.at] ?? 0), r: 5.5, fill: colour }),
    );
    const line = part("line", { x1: x, x2: x, y1: this.top, y2: this.bottom });
    this.cursor?.replaceChildren(line, ...spots);
  }

  /** @param {number} x */
  pick(x) {
    const share = (x - this.left) / (this.right - this.left);
    this.picked(Math.round(Math.min(1, Math.max(0, share)) * this.last));
  }
}

/** @param {string} name */
function short(name) {
  return name.length > MOST_LETTERS ? `${name.slice(0, MOST_LETTERS - 1)}…` : name;
}

/**
 * @param {string} text
 * @param {Record<string, string | number | undefined>} attributes
 */
function words(text, attributes) {
  const element = part("text", attributes);
  element.textContent = text;
  return element;
}

/**
 * @param {string} kind
 * @param {Record<string, string | number | undefined>} attributes those that are empty are left out
 */
function part(kind, attributes) {
  const element = document.createElementNS(SVG, kind);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== "") element.setAttribute(name, `${value}`);
  }
  return element;
}
