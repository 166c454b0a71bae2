// @ts-check
/**
 * The latest state of the table for a score pad: the last news, or while the pad's own taps are on
 * their way the last answer to them, since news may overtake an answer.
 */

/** Time within which the news catch up with an answer. */
const CATCH_UP_MS = 1000;

/** @typedef {import("../main.js").News} News */
/** @typedef {Pick<News, "table" | "feedback" | "hint">} Answer */

export class LatestState {
  /** @param {() => void} changed */
  constructor(changed) {
    this.changed = changed;
    /** @type {News | null} */
    this.news = null;
    /** Answer that replaces the same fields of the news. @type {Answer | null} */
    this.answer = null;
    /** True while taps wait for their answer. */
    this.waiting = false;
    this.live = false;
    this.timer = 0;
  }

  /** State of the table; null before the first news. @returns {News | null} */
  get now() {
    return this.news && { ...this.news, ...this.answer };
  }

  /** @param {News} news */
  follow(news) {
    this.news = news;
    if (!this.waiting) this.answer = null;
    this.hold(this.waiting);
    this.changed();
  }

  /** @param {boolean} waiting whether taps wait for their answer */
  hold(waiting) {
    this.waiting = waiting;
    if (waiting && this.news) this.answer ??= pick(this.news);
  }

  /** @param {Answer} answer */
  answered(answer) {
    this.answer = pick(answer);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.followStream(), CATCH_UP_MS);
  }

  /** Go back to the last news: taps were dropped. */
  forget() {
    this.answer = null;
  }

  followStream() {
    if (this.waiting || !this.live) return;
    this.answer = null;
    this.changed();
  }
}

/** @param {Answer} answer @returns {Answer} */
function pick({ table, feedback, hint }) {
  return { table, feedback, hint };
}
