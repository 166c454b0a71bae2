// @ts-check
/**
 * The printed board on the page, in layers: drawing, light of the lamps, lettering. The lettering keeps a readable
 * size; a text without enough space is hidden. Tips explain the places of the board.
 */

import { fetchText } from "../net/request.js";
import { BoardLight } from "./board.js";
import { Places } from "./places.js";
import { Zoom } from "./zoom.js";

/** Smallest font size of the lettering, in pixels. */
const LEAST_PX = 11;
/** Largest magnification of the lettering. A text that needs more to be readable is hidden. */
const MOST_GROWTH = 2.2;
/** Pixels in a millimetre from which the notes are shown: an A2 sheet is then 2200 pixels wide. */
const NOTES_FROM = 3.7;
/**
 * Kinds of texts with little room: their largest magnification, and the pixels in a millimetre from which they are
 * shown. An A2 sheet has its labels from 1600 pixels of width.
 *
 * @type {Record<string, {most: number, from: number}>}
 */
const CRAMPED = {
  medallion: { most: 1.35, from: 0 }, lamp: { most: 1, from: 0 },
  label: { most: 1, from: 2.69 }, note: { most: 1, from: NOTES_FROM },
};
/** Kinds of lettering, the most important first: it gets its space first. */
const RANK = ["title", "numbers", "lettering", "mark"];
const SVG = "http://www.w3.org/2000/svg";

/** @typedef {import("./zoom.js").View} View */

/**
 * Draw the sheet into a figure.
 *
 * @param {HTMLElement} figure
 * @param {Api.About} about
 * @param {HTMLElement | null} [buttons] buttons for the zoom; without them the sheet cannot be zoomed
 */
export async function drawSheet(figure, about, buttons = null) {
  for (const weight of [500, 700]) document.fonts.load(`${weight} 1em "Crib Wars Text"`).catch(() => {}); // without it the fallback is drawn
  return new Sheet(figure, parse(await fetchText("/board.svg")), about, buttons);
}

export class Sheet {
  /**
   * @param {HTMLElement} figure
   * @param {SVGSVGElement} drawing
   * @param {Api.About} about
   * @param {HTMLElement | null} buttons
   */
  constructor(figure, drawing, about, buttons) {
    this.print = printOf(about);
    this.figure = figure;
    this.drawing = drawing;
    const { x, y, width, height } = drawing.viewBox.baseVal;
    this.whole = this.view = { x, y, width, height };
    this.layer = new Lettering(takeLettering(drawing), this.whole);
    for (const place of [figure, document.documentElement]) {
      place.style.setProperty("--aspect", `${this.whole.width / this.whole.height}`);
    }
    const [glow, holes] = ["glow", "holes"].map(canvas);
    figure.replaceChildren(drawing, glow, holes, this.layer.element);
    for (const each of figure.children) each.setAttribute("aria-hidden", "true");
    new ResizeObserver(() => this.layer.resize(figure.clientWidth)).observe(figure);
    document.fonts.onloadingdone = () => this.layer.fit();
    this.places = new Places(figure, drawing, this.whole);
    this.light = new BoardLight({ holes, glow }, about.leds, this.whole);
    this.show(this.whole);
    if (buttons) new Zoom(figure, buttons, this.whole, (view) => this.show(view));
  }

  /** @param {View} view the visible part of the sheet */
  show(view) {
    this.view = view;
    this.drawing.setAttribute("viewBox", `${view.x} ${view.y} ${view.width} ${view.height}`);
    for (const part of [this.light, this.layer, this.places]) part.look(view);
  }

  /** Redraw the sheet if its language, names or colours have changed. @param {Api.About} about */
  async follow(about) {
    const print = printOf(about);
    if (print === this.print) return;
    this.print = print;
    const drawing = parse(await fetchText("/board.svg"));
    const layer = new Lettering(takeLettering(drawing), this.view);
    for (const each of [drawing, layer.element]) each.setAttribute("aria-hidden", "true");
    this.drawing.replaceWith(drawing);
    this.layer.element.replaceWith(layer.element);
    this.drawing = this.places.drawing = drawing;
    this.layer = layer;
    layer.resize(this.figure.clientWidth);
    this.show(this.view);
  }
}

/** Return a text that differs if the sheet is printed differently. @param {Api.About} about */
function printOf({ teams: labels, language }) {
  return [language, ...Object.values(labels).map(({ name, colour }) => name + colour)].join();
}

/** @param {string} id */
function canvas(id) {
  return Object.assign(document.createElement("canvas"), { id });
}

/** @param {string} text */
function parse(text) {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
  const root = /** @type {Element} */ (parsed.documentElement);
  const drawing = /** @type {SVGSVGElement} */ (document.importNode(root, true));
  for (const name of ["width", "height"]) drawing.removeAttribute(name);
  drawing.querySelector("title")?.remove();
  return drawing;
}

/**
 * Remove the texts from the drawing and return them in the order of their importance.
 *
 * @param {SVGSVGElement} drawing
 */
function takeLettering(drawing) {
  const texts = [...drawing.querySelectorAll("text")];
  const lines = texts.map(lineOf);
  for (const text of texts) text.remove();
  return lines.sort((a, b) => a.rank - b.rank);
}

/** @param {SVGTextElement} text */
function lineOf(text) {
  const look = (/** @type {string} */ name) => text.closest(`[${name}]`)?.getAttribute(name) ?? "";
  const rank = RANK.findIndex((kind) => text.closest(`.${kind}`));
  const [size, weight] = ["font-size", "font-weight"].map((name) => Number(look(name)));
  const cramped = Object.keys(CRAMPED).find((kind) => text.closest(`.${kind}`));
  return {
    words: text.textContent ?? "",
    x: Number(look("x")), y: Number(look("y")), turn: parseFloat(look("transform").slice("rotate(".length)), size,
    look: {
      fill: look("fill"), "text-anchor": look("text-anchor"), "font-family": look("font-family"),
      "font-weight": weight || 400, "letter-spacing": `${Number(look("letter-spacing")) / size}em`,
    },
    ...(cramped ? CRAMPED[cramped] : { most: MOST_GROWTH, from: 0 }),
    rank: rank < 0 ? RANK.length : rank - (weight > 500 ? 0.5 : 0),
  };
}

/** Layer of lettering in pixels of the screen. Texts that would overlap are hidden. */
class Lettering {
  /** @param {ReturnType<typeof lineOf>[]} lines @param {View} view */
  constructor(lines, view) {
    this.lines = lines;
    this.view = view;
    this.width = 0;
    this.waiting = false;
    this.element = document.createElementNS(SVG, "svg");
    this.element.setAttribute("class", "lettering");
    this.element.setAttribute("translate", "no"); // the sheet is already in the language of the page
    this.texts = lines.map((line) => this.draw(line));
    this.element.append(...this.texts);
  }

  /** @param {ReturnType<typeof lineOf>} line */
  draw({ words, look }) {
    const text = document.createElementNS(SVG, "text");
    text.textContent = words;
    for (const [name, value] of Object.entries(look)) text.setAttribute(name, `${value}`);
    return text;
  }

  /** @param {number} width in pixels */
  resize(width) {
    this.width = width;
    this.fit();
  }

  /** @param {View} view the visible part of the sheet */
  look(view) {
    this.view = view;
    if (this.waiting || !this.width) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.fit();
    });
  }

  fit() {
    const scale = this.width / this.view.width;
    this.element.parentElement?.classList.toggle("noted", scale >= NOTES_FROM);
    this.lines.forEach((line, at) => this.place(this.texts[at], line, scale));
    /** @type {DOMRect[]} */
    const taken = [];
    const all = this.element.getBoundingClientRect();
    this.texts.forEach((text, at) => {
      const box = boxOf(text, this.lines[at].turn);
      const fits = box.width > 0 && isWithin(box, all) && !taken.some((other) => overlap(box, other));
      text.style.visibility = fits ? "" : "hidden";
      if (fits) taken.push(box);
    });
  }

  /**
   * @param {SVGTextElement} text
   * @param {ReturnType<typeof lineOf>} line
   * @param {number} scale pixels in a millimetre
   */
  place(text, { x, y, size, turn, from, most }, scale) {
    const drawn = Math.max(LEAST_PX, size * scale);
    const [left, top] = [(x - this.view.x) * scale, (y - this.view.y) * scale + 0.36 * (drawn - size * scale)];
    text.style.display = scale < from || drawn > most * size * scale ? "none" : "";
    text.style.fontSize = `${drawn}px`;
    text.setAttribute("x", `${left}`);
    text.setAttribute("y", `${top}`);
    if (turn) text.setAttribute("transform", `rotate(${turn} ${left} ${top})`);
  }
}

/**
 * Return the box of a text without the space above its capitals and below its line.
 *
 * @param {SVGTextElement} text
 * @param {number} turn
 */
function boxOf(text, turn) {
  const { x, y, width, height } = text.getBoundingClientRect();
  return turn ? new DOMRect(x + 0.2 * width, y, 0.6 * width, height) : new DOMRect(x, y + 0.2 * height, width, 0.6 * height);
}

/** @param {DOMRect} box @param {DOMRect} all */
function isWithin(box, all) {
  return box.left >= all.left && box.right <= all.right && box.top >= all.top && box.bottom <= all.bottom;
}

/** @param {DOMRect} a @param {DOMRect} b */
function overlap(a, b) {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}
