// @ts-check
/**
 * Tips on the places of the sheet. A tap or the mouse on a zone, a hole or a lamp shows its name and effect.
 * The positions come from the drawing.
 */

import { holeWords } from "../i18n/labels.js";
import { fill, say } from "../i18n/language.js";
import { facts } from "../ui/about.js";

/** Largest distance in millimetres between the pointer and a place. */
const REACH_MM = 4.5;

export class Places {
  /**
   * @param {HTMLElement} figure
   * @param {SVGSVGElement} drawing
   * @param {import("./zoom.js").View} view
   */
  constructor(figure, drawing, view) {
    this.figure = figure;
    this.view = view;
    this.drawing = drawing;
    this.spots = [...spotsOf(drawing)];
    this.tip = Object.assign(document.createElement("p"), { className: "tip", hidden: true });
    this.tip.setAttribute("role", "status");
    figure.append(this.tip);
    for (const name of ["pointermove", "pointerdown"]) {
      figure.addEventListener(name, (event) => this.tell(/** @type {PointerEvent} */ (event)));
    }
    for (const name of ["pointerleave", "pointercancel"]) figure.addEventListener(name, () => this.hide());
  }

  hide() {
    this.tip.hidden = true;
  }

  /** @param {import("./zoom.js").View} view the visible part of the sheet */
  look(view) {
    this.view = view;
    this.hide();
  }

  /** @param {PointerEvent} event */
  tell({ clientX, clientY }) {
    const box = this.figure.getBoundingClientRect();
    const [x, y] = [clientX - box.left, clientY - box.top];
    const words = this.wordsAt(this.view.x + (x / box.width) * this.view.width, this.view.y + (y / box.height) * this.view.height);
    this.tip.hidden = !words;
    if (this.tip.textContent !== words) this.tip.textContent = words;
    this.tip.classList.toggle("above", y > box.height / 2);
    this.tip.style.left = `${Math.min(Math.max(x, 0.18 * box.width), 0.82 * box.width)}px`;
    this.tip.style.top = `${y}px`;
  }

  /**
   * Return the tip for a position, "" if nothing is there.
   *
   * @param {number} x in millimetres on the sheet
   * @param {number} y
   */
  wordsAt(x, y) {
    const near = this.spots
      .map((spot) => ({ words: spot.words, far: Math.hypot(spot.x - x, spot.y - y) }))
      .filter(({ far }) => far <= REACH_MM)
      .sort((a, b) => a.far - b.far)[0];
    return [near?.words() ?? "", this.zoneAt(x, y)].filter(Boolean).join(". ");
  }

  /** Return the effect of the zone at a position, "" without a zone. @param {number} x @param {number} y */
  zoneAt(x, y) {
    for (const zone of /** @type {NodeListOf<SVGGElement>} */ (this.drawing.querySelectorAll(".zone"))) {
      const hit = [...zone.querySelectorAll("rect")].some((rect) => isIn(rect.getBBox(), x, y));
      if (hit) return fill(facts.zone_kinds[zone.dataset.kind ?? ""].place, zone.dataset);
    }
    return "";
  }
}

/** Yield the holes, with start lamps as holes 0, and dealers' lamps in millimetres, with tips. @param {SVGSVGElement} drawing */
function* spotsOf(drawing) {
  for (const row of /** @type {NodeListOf<SVGGElement>} */ (drawing.querySelectorAll(".holes"))) {
    const holes = (row.dataset.holes ?? "").split(" ");
    const { lane = "" } = row.dataset;
    for (const [at, circle] of [...row.querySelectorAll("circle")].entries()) {
      const name = holeWords(Number(holes[at]) || holes[at]);
      yield { ...middle(circle), lane, hole: holes[at], words: () => say("Hole {hole}, lane {lane}", { hole: name, lane }) };
    }
  }
  for (const lamp of /** @type {NodeListOf<SVGGElement>} */ (drawing.querySelectorAll(".lamp"))) {
    const { lane = "", seat } = lamp.dataset;
    const circle = /** @type {SVGCircleElement} */ (lamp.querySelector("circle"));
    const words = () =>
      lane ? say("Start of lane {lane}: lit while its peg is on 0", { lane }) : say("Dealer's lamp of seat {seat}: lit while it deals", { seat });
    yield { ...middle(circle), lane, hole: lane && "0", words };
  }
}

/** @param {SVGCircleElement} circle */
function middle({ cx, cy }) {
  return { x: cx.baseVal.value, y: cy.baseVal.value };
}

/**
 * @param {DOMRect} box
 * @param {number} x
 * @param {number} y
 */
function isIn(box, x, y) {
  return x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height;
}
