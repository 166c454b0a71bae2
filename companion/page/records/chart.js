// @ts-check
/**
 * Chart of the race of a game. One line for each side shows its progress at each place of the game. Further
 * below, a second line shows the side's chance to win. A place is the start of the game or one of its counts.
 */

import { facts } from "../ui/about.js";
import { percent, say } from "../i18n/language.js";
import { html, useLayoutEffect, useRef, useState } from "../vendor/preact.js";

/** Margins around the lines, width of a letter and height of a text line, in units of the page's font size. */
const MARGIN = { left: 3.2, right: 0.4, top: 0.8, bottom: 1.8 };
const LETTER = 0.54;
const LINE = 1.15;
const MOST_LETTERS = 14;
const STEPS = [5, 10, 20, 30, 60, 100, 200];
const MOST_LINES = 7;
/** Share of the chart's height for the chances to win. */
const CHANCES = 0.22;
const CHANCE_LEVELS = [0, 0.5, 1];
/** Dash patterns of the lines: colour alone must not distinguish the sides. */
const DASHES = [undefined, "9 4", "3 4"];

/** @typedef {{side: string, name: string, colour: string, progress: number[], chances: number[]}} Line */
/**
 * @typedef {object} Scales from places, holes and chances to pixels
 * @property {(place: number) => number} x
 * @property {(hole: number) => number} y
 * @property {(x: number) => number} place the reverse of `x`
 * @property {(chance: number) => number} chance
 * @property {number} left
 * @property {number} right
 * @property {number} top
 * @property {number} bottom lower edge of the race
 * @property {number} under lower edge of the chances to win
 * @property {number} letter font size
 */

/**
 * `at` is the marked place, `title` the alternative text; `go` is called with the place that the user clicks.
 *
 * @param {{lines: Line[], places: Api.TimelineEntry[], finish: number, title: string, at: number,
 *   go: (at: number) => void}} props
 */
export function Chart({ lines, places, finish, title, at, go }) {
  const [size, place] = useSize();
  const last = Math.max(1, lines[0].progress.length - 1);
  const scales = scalesOf(size, lines, finish, last);
  return html`
    <div id="chart" ref=${place}>
      ${size.width > 0 && html`
        <svg viewBox=${`0 0 ${size.width} ${size.height}`} role="img" aria-label=${title}
          onClick=${(/** @type {MouseEvent} */ event) => go(scales.place(event.offsetX))}>
          ${grid(scales, finish, last)}
          ${lines.map((line, number) => curves(scales, line, number))}
          ${places.map((place, number) => mark(scales, lines, place, number))}
          ${ends(scales, lines)}
          ${cursor(scales, lines, at)}
        </svg>`}
    </div>`;
}

/**
 * Return the current size of an element, and the ref to set on the element.
 *
 * @returns {[{width: number, height: number}, {current: HTMLElement | null}]}
 */
function useSize() {
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const element = /** @type {HTMLElement} */ (place.current);
    const observer = new ResizeObserver(() => {
      const { width, height } = element.getBoundingClientRect();
      setSize({ width, height });
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [size, place];
}

/**
 * @param {{width: number, height: number}} size
 * @param {Line[]} lines
 * @param {number} finish
 * @param {number} last
 * @returns {Scales}
 */
function scalesOf({ width, height }, lines, finish, last) {
  const letter = parseFloat(getComputedStyle(document.documentElement).fontSize);
  const names = Math.max(...lines.map(({ name }) => short(name).length));
  const left = MARGIN.left * letter;
  const right = width - MARGIN.right * letter - (names + 5) * LETTER * letter;
  const top = MARGIN.top * letter;
  const under = height - MARGIN.bottom * letter;
  const bottom = top + (1 - CHANCES) * (under - top) - letter;
  return {
    left, right, top, bottom, under, letter,
    x: (place) => left + (right - left) * (place / last),
    y: (hole) => bottom - (bottom - top) * (hole / finish),
    chance: (chance) => under - CHANCES * (under - top) * chance,
    place: (x) => Math.round(Math.min(1, Math.max(0, (x - left) / (right - left))) * last),
  };
}

/**
 * @param {Scales} scales
 * @param {number} finish
 * @param {number} last
 */
function grid({ left, right, under, letter, y, chance }, finish, last) {
  const step = STEPS.find((each) => finish / each <= MOST_LINES) ?? finish;
  const holes = [finish];
  for (let hole = 0; hole < finish - step / 3; hole += step) holes.push(hole);
  const below = under + 1.3 * letter;
  return html`
    ${holes.map((hole) => html`
      <line class="level" x1=${left} x2=${right} y1=${y(hole)} y2=${y(hole)} />
      <text x=${left - letter / 2} y=${y(hole) + 0.3 * letter} text-anchor="end">${hole}</text>`)}
    ${CHANCE_LEVELS.map((level) => html`
      <line class="level" x1=${left} x2=${right} y1=${chance(level)} y2=${chance(level)} />
      <text x=${left - letter / 2} y=${chance(level) + 0.3 * letter} text-anchor="end">${percent(level)}</text>`)}
    <text x=${right + letter / 2} y=${chance(0.5) + 0.3 * letter}>${say("to win")}</text>
    <text x=${left} y=${below}>${say("start")}</text>
    <text x=${right} y=${below} text-anchor="end">${last}</text>`;
}

/**
 * @param {Scales} scales
 * @param {Line} line
 * @param {number} number
 */
function curves({ x, y, chance }, { side, colour, progress, chances }, number) {
  const points = (/** @type {number[]} */ heights) => heights.map((height, at) => `${x(at)},${height}`).join(" ");
  const drawn = { stroke: colour, "stroke-dasharray": DASHES[number % DASHES.length], "data-side": side };
  return html`
    <polyline class="race" points=${points(progress.map(y))} ...${drawn} />
    <polyline class="chance" points=${points(chances.map(chance))} ...${drawn} />`;
}

/**
 * Draw the mark of a notable event on the line of its side. Each kind of event has its own shape.
 *
 * @param {Scales} scales
 * @param {Line[]} lines
 * @param {Api.TimelineEntry} place
 * @param {number} at
 */
function mark({ x, y }, lines, { notable, team: side, words }, at) {
  const line = lines.find((each) => each.side === `${side}`);
  const shown = notable && facts.event_kinds[notable].mark;
  if (!shown || !line) return null;
  return html`<path class="mark ${notable}" d=${shown.shape} style=${shown.ink && { fill: shown.ink }}
    transform=${`translate(${x(at)} ${y(line.progress[at])})`}><title>${words}</title></path>`;
}

/** Draw the names at the ends of the lines, without overlaps. @param {Scales} scales @param {Line[]} lines */
function ends({ y, right, letter }, lines) {
  const ends = lines.map((line) => ({ line, top: y(line.progress.at(-1) ?? 0) }));
  ends.sort((a, b) => a.top - b.top);
  ends.forEach((end, n) => {
    if (n) end.top = Math.max(end.top, ends[n - 1].top + LINE * letter);
  });
  return ends.map(({ line: { name, colour, progress }, top }) => html`
    <text x=${right + letter / 2} y=${top + 0.3 * letter} fill=${colour}>${short(name)} ${progress.at(-1)}</text>`);
}

/**
 * @param {Scales} scales
 * @param {Line[]} lines
 * @param {number} at
 */
function cursor({ x, y, chance, top, under }, lines, at) {
  return html`
    <g class="cursor">
      <line x1=${x(at)} x2=${x(at)} y1=${top} y2=${under} />
      ${lines.map(({ colour, progress, chances }) => html`
        <circle cx=${x(at)} cy=${y(progress[at])} r="5.5" fill=${colour} />
        <circle cx=${x(at)} cy=${chance(chances[at])} r="4" fill=${colour} />`)}
    </g>`;
}

/** @param {string} name */
function short(name) {
  return name.length > MOST_LETTERS ? `${name.slice(0, MOST_LETTERS - 1)}…` : name;
}
