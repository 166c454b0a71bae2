// @ts-check
/**
 * Zoom and pan of the board by wheel, pinch and drag, by the keys + − 0 and the arrow keys, and by buttons. A
 * view is the visible part of the sheet, in millimetres.
 */

import { belongsElsewhere, singleKeysAct } from "../ui/shortcuts.js";
import { say } from "../i18n/language.js";

/** @typedef {{x: number, y: number, width: number, height: number}} View */
/** @typedef {{x: number, y: number}} Point */

const MOST = 8;
const STEP = 1.5;
/** Zoom of a double click. */
const LEAP = 3;
/** Share of the view by which an arrow key pans. */
const PAN = 0.15;
/** Distance below which a movement of the pointer counts as a tap. */
const SLOP_PX = 5;

/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-PAN, 0], ArrowRight: [PAN, 0], ArrowUp: [0, -PAN], ArrowDown: [0, PAN] };
/** @type {Record<string, number>} */
const FACTORS = { "+": STEP, "=": STEP, "-": 1 / STEP, "0": 0 };

/**
 * Return a view magnified by a factor. The point `at` keeps its position on the screen.
 *
 * @param {View} view
 * @param {View} whole the largest view, the whole sheet
 * @param {number} factor above 1 to zoom in
 * @param {Point} at
 * @returns {View}
 */
function magnified(view, whole, factor, at) {
  const width = Math.min(Math.max(view.width / factor, whole.width / MOST), whole.width);
  const share = width / view.width;
  const [x, y] = [at.x - (at.x - view.x) * share, at.y - (at.y - view.y) * share];
  return moved({ x, y, width, height: view.height * share }, whole, 0, 0);
}

/**
 * Return a view moved by `dx` and `dy`, but not beyond the edges of the sheet.
 *
 * @param {View} view
 * @param {View} whole
 * @param {number} dx
 * @param {number} dy
 * @returns {View}
 */
function moved({ x, y, width, height }, whole, dx, dy) {
  const right = whole.x + whole.width - width;
  const below = whole.y + whole.height - height;
  return {
    x: Math.min(Math.max(x + dx, whole.x), right),
    y: Math.min(Math.max(y + dy, whole.y), below),
    width, height,
  };
}

export class Zoom {
  /**
   * @param {HTMLElement} figure
   * @param {HTMLElement} buttons element with the buttons "in", "out" and "reset"
   * @param {View} whole
   * @param {(view: View) => void} show
   */
  constructor(figure, buttons, whole, show) {
    this.figure = figure;
    this.buttons = buttons;
    this.whole = this.view = whole;
    this.show = show;
    /** Positions of the pointers that are down on the sheet, by pointer id. @type {Map<number, Point>} */
    this.held = new Map();
    this.drags = false;
    this.button("in").onclick = () => this.magnify(STEP);
    this.button("out").onclick = () => this.magnify(1 / STEP);
    this.button("reset").onclick = () => this.set(whole);
    figure.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    figure.addEventListener("pointerdown", (event) => this.down(event));
    figure.addEventListener("pointermove", (event) => this.move(event));
    // A pointer that went down on the figure can be released outside it.
    for (const end of ["pointerup", "pointercancel"]) {
      addEventListener(end, (event) => this.held.delete(/** @type {PointerEvent} */ (event).pointerId));
    }
    figure.addEventListener("dblclick", (event) => this.leap(event));
    addEventListener("keydown", (event) => this.key(event));
    this.showButtons();
  }

  /** @returns {number} magnification, 1 for the whole sheet */
  get factor() {
    return this.whole.width / this.view.width;
  }

  /** @param {string} name @returns {HTMLButtonElement} */
  button(name) {
    return /** @type {HTMLButtonElement} */ (this.buttons.querySelector(`[data-zoom="${name}"]`));
  }

  /** @param {View} view */
  set(view) {
    this.view = view;
    this.figure.classList.toggle("zoomed", this.factor > 1.001);
    this.showButtons();
    this.show(view);
  }

  /** Disable the buttons without an effect. Their title gives the reason. */
  showButtons() {
    const [whole, close] = [this.factor < 1.001, this.factor > MOST - 0.001];
    this.button("reset").dataset.factor = `${Math.round(10 * this.factor) / 10}`;
    for (const name of ["out", "reset"]) this.enable(name, whole ? say("This is the whole board") : "");
    this.enable("in", close ? say("Nearer is not possible") : "");
  }

  /** @param {string} name @param {string} why reason to disable the button, "" to enable it */
  enable(name, why) {
    this.button(name).disabled = why !== "";
    this.button(name).title = why;
  }

  /** @param {number} factor @param {Point} [at] by default the middle of the view */
  magnify(factor, at = { x: this.view.x + this.view.width / 2, y: this.view.y + this.view.height / 2 }) {
    this.set(magnified(this.view, this.whole, factor, at));
  }

  /** @param {number} dx in millimetres @param {number} dy */
  pan(dx, dy) {
    this.set(moved(this.view, this.whole, dx, dy));
  }

  /**
   * Return the point of the sheet under a pointer.
   *
   * @param {{clientX: number, clientY: number}} pointer
   * @returns {Point}
   */
  at({ clientX, clientY }) {
    const { left, top } = this.figure.getBoundingClientRect();
    return { x: this.view.x + (clientX - left) * this.pixel, y: this.view.y + (clientY - top) * this.pixel };
  }

  /** @returns {number} millimetres per pixel */
  get pixel() {
    return this.view.width / this.figure.clientWidth;
  }

  /** Zoom. At the whole board, a wheel without Ctrl scrolls a page that can scroll. @param {WheelEvent} event */
  wheel(event) {
    const { scrollHeight } = document.documentElement;
    if (!event.ctrlKey && this.factor === 1 && scrollHeight > innerHeight) return;
    event.preventDefault();
    const notches = event.deltaMode ? event.deltaY / 3 : event.deltaY / (event.ctrlKey ? 25 : 100);
    this.magnify(STEP ** -notches, this.at(event));
  }

  /** @param {PointerEvent} event */
  down(event) {
    if (event.button !== 0) return;
    this.held.set(event.pointerId, { x: event.clientX, y: event.clientY });
    this.drags = this.held.size > 1;
  }

  /** @param {PointerEvent} event */
  move(event) {
    const before = this.held.get(event.pointerId);
    if (!before) return;
    const [dx, dy] = [event.clientX - before.x, event.clientY - before.y];
    if (!this.drags && Math.hypot(dx, dy) < SLOP_PX) return;
    const others = [...this.held].filter(([id]) => id !== event.pointerId).map(([, point]) => point);
    if (others.length) this.pinch(event, before, others[0]);
    else if (this.factor > 1) this.drag(event, dx, dy);
    this.held.set(event.pointerId, { x: event.clientX, y: event.clientY });
  }

  /** @param {PointerEvent} event @param {number} dx in pixels @param {number} dy */
  drag(event, dx, dy) {
    this.drags = true;
    if (!this.figure.hasPointerCapture(event.pointerId)) this.figure.setPointerCapture(event.pointerId);
    this.pan(-dx * this.pixel, -dy * this.pixel);
  }

  /**
   * Zoom and pan after one of two fingers has moved, so that the point between them stays between them.
   *
   * @param {PointerEvent} event
   * @param {Point} before
   * @param {Point} other
   */
  pinch({ clientX, clientY }, before, other) {
    const [apart, was] = [Math.hypot(clientX - other.x, clientY - other.y), Math.hypot(before.x - other.x, before.y - other.y)];
    const middle = { clientX: (before.x + other.x) / 2, clientY: (before.y + other.y) / 2 };
    const at = this.at(middle);
    this.magnify(apart / Math.max(was, 1), at);
    const now = this.at({ clientX: (clientX + other.x) / 2, clientY: (clientY + other.y) / 2 });
    this.pan(at.x - now.x, at.y - now.y);
  }

  /** @param {MouseEvent} event */
  leap(event) {
    if (this.factor > 1) this.set(this.whole);
    else this.magnify(LEAP, this.at(event));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || belongsElsewhere(event)) return;
    const arrow = Object.hasOwn(ARROWS, event.key) && this.factor > 1 ? ARROWS[event.key] : null;
    if (arrow && !isScrolled(event)) this.pan(arrow[0] * this.view.width, arrow[1] * this.view.height);
    else if (Object.hasOwn(FACTORS, event.key) && singleKeysAct()) this.step(FACTORS[event.key]);
    else return;
    event.preventDefault();
  }

  /** @param {number} factor 0 for the whole sheet */
  step(factor) {
    if (factor) this.magnify(factor);
    else this.set(this.whole);
  }
}

/** Return true if the arrow keys scroll the element with the focus. @param {KeyboardEvent} event */
function isScrolled({ target }) {
  return /** @type {Element} */ (target).matches("[tabindex], input, select, textarea");
}
