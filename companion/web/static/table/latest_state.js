// @ts-check
/**
 * How the table stands for a pad: as the stream told last, and while the pad's own taps are on
 * their way as they were answered last, since the stream may tell of a tap before its answer does.
 */

/** The stream tells within this time what an answer told. */
const BEHIND_MS = 1000;

/** @typedef {import("../main.js").News} News */
/** @typedef {Pick<News, "table" | "feedback" | "hint">} Answer */

export class LatestState {
  /** @param {() => void} changed */
  constructor(changed) {
    this.changed = changed;
    /** @type {News | null} */
    this.news = null;
    /** What stands instead of what the news say of the same. @type {Answer | null} */
    this.answer = null;
    /** Whether taps wait for their answer. */
    this.waiting = false;
    this.live = false;
    this.timer = 0;
  }

  /** How the table stands; null as long as nobody has told. @returns {News | null} */
  get now() {
    return this.news && { ...this.news, ...this.answer };
  }

  /** @param {News} news */
  tell(news) {
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
    this.timer = setTimeout(() => this.followStream(), BEHIND_MS);
  }

  /** Taps were dropped: what the stream told last is all that is known. */
  forget() {
    this.answer = null;
  }

  followStream() {
    if (this.waiting || !this.live) return;
    this.answer = null;
    this.changed();
  }
}

/** @param {Answer} told @returns {Answer} */
function pick({ table, feedback, hint }) {
  return { table, feedback, hint };
}
