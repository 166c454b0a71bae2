// @ts-check
/**
 * Signs: a few large words about a notable event, on a plate over the board. The plate covers neither a front peg nor
 * a hole near the way of the event's peg, if the visible part of the sheet has such a place.
 */

import { fill } from "../i18n/language.js";
import { facts } from "../ui/about.js";

/** Time for which a sign is shown. */
const STANDS_MS = 2600;
/** Maximum number of waiting signs. Older ones are dropped. */
const MOST_WAITING = 3;
/** Largest width and height of the plate, in shares of the board. */
const [WIDEST, HIGHEST] = [0.38, 0.14];
/** Number of holes before and after a peg's way that the plate leaves free, its distance from them, and the slack for rounding. */
const [NEAR_HOLES, CLEAR_MM, SLACK_MM] = [20, 4, 1e-6];
/** Weights of a front peg, of a hole near the way of the sign's peg, and of one near another way. */
const [PEG, NEAR, OTHER] = [1e6, 1e3, 1];

/** @typedef {{x: number, y: number, weight: number}} Point place to leave free, in millimetres on the sheet */

/** Queue of signs. A win, a skunk and a box replace what is shown, and come first. */
export class Signs {
  /** @param {import("./sheet.js").Sheet} sheet */
  constructor(sheet) {
    this.sheet = sheet;
    this.plate = Object.assign(document.createElement("p"), { className: "plate", role: "status" });
    sheet.figure.append(this.plate);
    /** Each sign has all events of its entry. @type {{event: Api.Event, events: Api.Event[]}[]} */
    this.waiting = [];
    this.timer = 0;
    /** @type {Api.TableNews | null} */
    this.news = null;
  }

  /** Follow the pegs, and add the events of a demo. @param {Api.TableNews} news */
  follow(news) {
    const [now, before] = [news.demo?.newest, this.news?.demo];
    this.news = news;
    if (now && before && now.seq !== before.newest?.seq) this.add(now.events);
  }

  /** @param {Api.Event[]} events of an entry */
  add(events) {
    const rank = (/** @type {Api.Event} */ { kind }) => facts.event_kinds[kind].sign_rank;
    const signed = events.filter(({ kind }) => facts.event_signs[kind]).sort((a, b) => rank(b) - rank(a));
    const signs = signed.map((event) => ({ event, events }));
    const interrupts = signed.length > 0 && rank(signed[0]) > 0;
    this.waiting = interrupts ? signs : [...this.waiting, ...signs].slice(-MOST_WAITING);
    if (interrupts || !this.timer) this.next();
  }

  /** Take away what is shown and what waits. */
  clear() {
    this.waiting = [];
    this.next();
  }

  /** Show the next sign, or nothing if no sign is waiting. */
  next() {
    clearTimeout(this.timer);
    const sign = this.waiting.shift();
    this.timer = sign ? setTimeout(() => this.next(), STANDS_MS) : 0;
    this.plate.replaceChildren();
    this.plate.style.cssText = "";
    if (sign) this.show(sign.event, sign.events);
  }

  /** @param {Api.Event} event @param {Api.Event[]} events */
  show(event, events) {
    const { plate, sheet: { figure } } = this;
    const { name, colour } = facts.teams[`${event.team}`] ?? { name: "", colour: "" };
    const sign = facts.event_signs[`${event.kind}_${event.rule}`] ?? facts.event_signs[event.kind];
    const [side, words] = ["span", "strong"].map((tag) => document.createElement(tag));
    const way = Number(event.to) - Number(event.from);
    side.textContent = name;
    words.textContent = fill(sign, { ...event, way: way ? `${way > 0 ? "+" : "\u2212"}${Math.abs(way)}` : "" });
    plate.replaceChildren(side, " ", words);
    plate.style.setProperty("--side", colour);
    const fit = Math.min(1, (WIDEST * figure.clientWidth) / plate.offsetWidth, (HIGHEST * figure.clientHeight) / plate.offsetHeight);
    plate.style.setProperty("--fit", `${0.99 * fit}`);
    const moves = events.filter(({ to }) => to !== null);
    const near = moves.flatMap((move) => this.near(move, move.team === event.team ? NEAR : OTHER));
    const pegs = this.pegs(moves);
    this.place(plate, [...near, ...pegs], pegs.filter(({ lane }) => lane === `${event.team}`).at(-1));
  }

  /** Place an element over the board so that it covers no front peg. @param {HTMLElement} element */
  placeCard(element) {
    const { x, y, width, height } = this.sheet.view;
    this.place(element, this.pegs([]), { x: x + width / 2, y: y + height / 2 });
  }

  /** Return the holes near the way of a move, in all lanes. @param {Api.Event} move @param {number} weight */
  near({ from, to }, weight) {
    const ends = [from, to].filter((hole) => typeof hole === "number");
    const [first, last] = [Math.min(...ends) - NEAR_HOLES, Math.max(...ends) + NEAR_HOLES];
    const zones = [from, to].map((hole) => `${hole}`.split(":")[0]);
    return this.sheet.places.spots
      .filter(({ hole }) => hole && ((Number(hole) >= first && Number(hole) <= last) || zones.includes(hole.split(":")[0])))
      .map(({ x, y }) => ({ x, y, weight }));
  }

  /** Return the front pegs, and the ends of moves that the news do not yet have. @param {Api.Event[]} moves */
  pegs(moves) {
    const { table, demo } = this.news ?? {};
    const fronts = Object.entries((demo?.table ?? table)?.teams ?? {}).map(([side, { front }]) => `${side} ${front}`);
    return [...fronts, ...moves.map((move) => `${move.team} ${move.to}`)].flatMap((place) =>
      this.sheet.places.spots.filter(({ lane, hole }) => `${lane} ${hole}` === place).map((spot) => ({ ...spot, weight: PEG })));
  }

  /** @param {HTMLElement} element @param {Point[]} points @param {{x: number, y: number}} [target] place to be near to */
  place(element, points, target = this.sheet.view) {
    const { figure, view } = this.sheet;
    const scale = view.width / figure.clientWidth;
    const { x, y } = bestPlace({ width: element.offsetWidth * scale, height: element.offsetHeight * scale }, view, points, target);
    const inFigure = element.parentElement === figure;
    element.style.left = `${(x - view.x) / scale + (inFigure ? 0 : figure.offsetLeft)}px`;
    element.style.top = `${(y - view.y) / scale + (inFigure ? 0 : figure.offsetTop)}px`;
  }
}

/**
 * Return the place where a plate covers the least weight; of equal places, the one nearest to `target`.
 *
 * From each place, the plate can move left and up until it touches a point or the edge of the area, and covers no
 * more, so one of these places is the best. Those where its other edges touch a point may be nearer.
 *
 * @param {{width: number, height: number}} size
 * @param {import("./zoom.js").View} area
 * @param {Point[]} points
 * @param {{x: number, y: number}} target
 */
export function bestPlace({ width, height }, area, points, target) {
  let best = { x: area.x, y: area.y, weight: Infinity, far: Infinity };
  const ys = starts(points.map(({ y }) => y), area.y, area.height, height);
  for (const x of starts(points.map((point) => point.x), area.x, area.width, width)) {
    const beside = points.filter((point) => Math.abs(point.x - x - width / 2) < width / 2 + CLEAR_MM - SLACK_MM);
    for (const y of ys) {
      const below = beside.filter((point) => Math.abs(point.y - y - height / 2) < height / 2 + CLEAR_MM - SLACK_MM);
      const weight = below.reduce((sum, point) => sum + point.weight, 0);
      const far = Math.hypot(x + width / 2 - target.x, y + height / 2 - target.y);
      if (weight < best.weight || (weight === best.weight && far < best.far)) best = { x, y, weight, far };
    }
  }
  return best;
}

/** Return both ends, and the starts that touch a point. @param {number[]} points @param {number} first @param {number} room @param {number} length */
function starts(points, first, room, length) {
  const last = first + room - length;
  const touching = points.flatMap((point) => [point + CLEAR_MM, point - CLEAR_MM - length]);
  return [...new Set([first, last, ...touching])].filter((at) => at >= first && at <= last);
}
