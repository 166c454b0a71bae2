// @ts-check
/**
 * Latest state of the table. It comes from the news or from the answer to the page's own taps, whichever has
 * the greater `revision`. So older news do not overwrite an answer that the page has already shown.
 */

/** @typedef {Pick<Api.TableNews, "revision" | "table"> & Partial<Pick<Api.TableNews, "feedback" | "hint">>} Answer */

export class LatestState {
  constructor() {
    /** @type {Api.TableNews | null} */
    this.news = null;
    /** Newest answer to taps. Its fields replace the same fields of the news. @type {Answer | null} */
    this.answer = null;
    /** True while taps wait for their answer. Until then no news replace the table, to which the page adds them. */
    this.waiting = false;
    this.run = "";
  }

  /** State of the table, or null before the first news. @returns {Api.TableNews | null} */
  get now() {
    return this.news && { ...this.news, ...this.answer };
  }

  /** Drop the answer after a restart of the server, which begins its revisions at 0. @param {string} run */
  begin(run) {
    if (run !== this.run) this.answer = null;
    this.run = run;
  }

  /** @param {Api.TableNews} news */
  follow(news) {
    this.news = news;
    this.hold(this.waiting);
  }

  /** @param {Answer} answer */
  answered({ revision, table, feedback, hint }) {
    this.answer = { revision, table, ...(hint !== undefined && { feedback, hint }) };
    this.hold(this.waiting);
  }

  /** @param {boolean} waiting true while taps wait for their answer */
  hold(waiting) {
    const { news, answer } = this;
    this.waiting = waiting;
    if (!news) return;
    if (!waiting && answer && answer.revision <= news.revision) this.answer = null;
    else if (waiting && !answer) this.answered(news);
  }
}
