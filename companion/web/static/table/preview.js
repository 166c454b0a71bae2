// @ts-check
/**
 * What a command would do, shown before it is sent.
 */

import { ask } from "../net/post.js";
import { holeWords } from "../i18n/labels.js";
import { say } from "../i18n/language.js";
import { make } from "../ui/dom.js";

/** @typedef {import("../ui/forms.js").Option} Option */
/** @typedef {{front: number | string, back: number | string}} Pegs */
/**
 * @typedef {{line: string, zones: {team: number, kind: string}[],
 *   sides: Record<string, {before: Pegs, after: Pegs}>,
 *   changes: {before: string, after: string}[]}} CommandPreview
 */

export class Preview {
  /**
   * @param {Option[]} sides
   * @param {boolean} pegs true if the pegs of each side are shown as well
   */
  constructor(sides, pegs) {
    this.sides = sides;
    this.pegs = pegs;
    this.place = make("div", "preview");
    this.place.setAttribute("role", "status");
    this.asked = 0;
  }

  /**
   * Show what a command would do.
   *
   * @param {object | null} command null for one that is not complete
   * @returns {Promise<boolean>} true if the rules take it
   */
  async show(command) {
    const number = ++this.asked;
    const { refusal, answer } = command ? await ask("/api/preview", command) : { refusal: "" };
    if (number !== this.asked) return false;
    this.place.replaceChildren(...(answer ? this.lines(answer) : [make("p", "warn", refusal)]));
    return Boolean(answer);
  }

  /** @param {CommandPreview} preview */
  lines({ line, zones, sides, changes }) {
    return [
      make("p", zones.length ? "warn" : "", line),
      ...(this.pegs ? this.sides.flatMap((side) => moved(side, sides[side.value])) : []),
      ...changes.map(({ before, after }) => make("p", "changed", changed(before, after))),
    ];
  }
}

/**
 * @param {string} before
 * @param {string} after
 */
function changed(before, after) {
  if (!after) return say("Dropped: {before}", { before });
  return before ? say("{before} Then: {after}", { before, after }) : after;
}

/**
 * @param {Option} side
 * @param {{before: Pegs, after: Pegs}} pegs
 */
function moved({ label: name, colour = "" }, { before, after }) {
  if (before.front === after.front && before.back === after.back) return [];
  const values = {
    name,
    before: holeWords(before.front),
    after: holeWords(after.front),
    back: holeWords(after.back),
  };
  const line = make("p", "moved", say("{name}: from {before} to {after}, the back peg on {back}", values));
  line.style.setProperty("--team", colour);
  return [line];
}
