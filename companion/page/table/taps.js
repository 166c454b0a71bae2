// @ts-check
/**
 * Queue of a page's taps. They are delivered in order, and the table counts each tap once.
 *
 * A tap has a number, and its page has an id, the `pad`. A tap is sent until the table has answered; the table
 * ignores a number that it already has from the same `pad`. Each load of a page makes a new `pad`, so that numbers
 * do not collide. After a reload, taps without an answer are sent with their old `pad`.
 */

import { say } from "../i18n/language.js";
import { TIMEOUT_MS, newKey, request } from "../net/request.js";
import { recall, remember } from "../net/storage.js";
import { facts } from "../ui/about.js";

const STORED_AS = `taps ${location.pathname}`;
/** Maximum number of taps in one request. */
const MAX_TAPS_PER_REQUEST = 64;
const RETRY_MS = 500;
/** Age at which unsent taps are dropped, because the side may want something else by then. */
const MAX_AGE_MS = 60000;

const late = () => say("the table was out of reach for a minute. Look at it, and enter what is missing");
const anew = () => say("the table was restarted. See whether your count is there");

/** @typedef {Api.Tap & {pad: string, number: number, at: number}} Waiting `at`: time of the tap */
/**
 * @typedef {object} Listeners
 * @property {() => void} changed called when taps are added, answered, dropped or delayed
 * @property {(answer: Api.TapsResponse) => void} answered
 * @property {(why: string, status: number) => void} lost taps were dropped; `status`: HTTP status of a refusal, or 0
 */

export class Taps {
  /**
   * @param {string} run id of this run of the server
   * @param {Listeners} listeners
   * @param {() => object} [fields] further fields of each request
   */
  constructor(run, listeners, fields = () => ({})) {
    this.run = run;
    this.listeners = listeners;
    this.fields = fields;
    this.pad = newKey();
    this.number = 0;
    /** Taps without an answer, oldest first. @type {Waiting[]} */
    this.waiting = [];
    this.sending = false;
    /** True if the last request failed and must be sent again. */
    this.stuck = false;
    this.timer = 0;
    /** Earliest time of the next request, as given by `performance.now`. */
    this.from = 0;
    addEventListener("online", () => this.send());
    addEventListener("pageshow", () => this.send());
  }

  /** Send the taps that had no answer when this page was reloaded. */
  resume() {
    const { run, waiting } = JSON.parse(recall(STORED_AS, "sessionStorage") ?? '{"run": "", "waiting": []}');
    this.waiting = waiting;
    if (run === this.run) this.changed();
    else this.drop(anew());
    this.send();
  }

  /** Drop all taps after a restart of the server. @param {string} run */
  begin(run) {
    if (run === this.run) return;
    this.run = run;
    this.pad = newKey();
    this.number = 0;
    this.drop(anew());
  }

  /** @param {Api.Tap[]} taps */
  press(...taps) {
    const at = Date.now();
    for (const tap of taps) {
      this.number += 1;
      this.waiting.push({ pad: this.pad, number: this.number, at, ...tap });
    }
    this.changed();
    this.send();
  }

  /** Send the waiting taps, one request at a time, until the table has answered all of them. */
  async send() {
    clearTimeout(this.timer);
    if (this.sending) return;
    this.sending = true;
    while (this.waiting.length && performance.now() >= this.from) await this.sendSome();
    this.sending = false;
    const rest = this.from - performance.now();
    if (this.waiting.length) this.timer = setTimeout(() => this.send(), Math.max(0, rest));
  }

  /** Send one request with waiting taps of one `pad`. */
  async sendSome() {
    const [{ pad, number: first, at }] = this.waiting;
    if (Date.now() > at + MAX_AGE_MS) return this.drop(late());
    const some = this.waiting.filter((tap) => tap.pad === pad).slice(0, MAX_TAPS_PER_REQUEST);
    const taps = some.map(({ button, held, if_alone, down }) => ({ button, held, if_alone, down }));
    const body = { ...this.fields(), pad, run: this.run, first, taps };
    const { status, value, refusal, retry_s } = await request("/api/taps", body, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (!status || status >= 500) return this.retryIn(RETRY_MS);
    if (status === 429) return this.retryIn(1000 * (retry_s || 1));
    if (refusal) return this.drop(refusal, status, pad);
    this.stuck = false;
    this.waiting = this.waiting.filter((tap) => tap.pad !== pad || tap.number > value.taken);
    this.listeners.answered(value);
    this.changed();
  }

  /** @param {number} ms until the same taps are sent again */
  retryIn(ms) {
    this.from = performance.now() + ms;
    this.stuck = true;
    this.changed();
  }

  /**
   * Drop waiting taps and report them. None is kept: a part of a count is a wrong count.
   *
   * @param {string} why
   * @param {number} [status] of the refusal
   * @param {string} [pad] drops only the taps of this `pad`
   */
  drop(why, status = 0, pad) {
    const dropped = this.waiting.filter((tap) => !pad || tap.pad === pad);
    this.waiting = this.waiting.filter((tap) => !dropped.includes(tap));
    this.stuck = false;
    this.changed();
    const taps = tapWords(dropped);
    if (taps) this.listeners.lost(say("Not sent: {taps}: {why}.", { taps, why }), status);
  }

  changed() {
    remember(STORED_AS, JSON.stringify({ run: this.run, waiting: this.waiting }), "sessionStorage");
    this.listeners.changed();
  }
}

/**
 * Return the taps for a count. The buttons that add the most points come first.
 *
 * @param {string} own
 * @param {number} points
 * @returns {Api.Tap[]}
 */
export function countTaps(own, points) {
  const adding = Object.entries(facts.panel).filter(([, { side, points: each }]) => `${side}` === own && each);
  return adding.sort(([, one], [, other]) => other.points - one.points).flatMap(([button, { points: each }]) => {
    const taps = Array(Math.floor(points / each)).fill({ button, held: 0 });
    points %= each;
    return taps;
  });
}

/**
 * Return the pending count of a side after these taps. It is an estimate, because only the table knows the
 * earlier presses that an undo takes back.
 *
 * @param {string} own
 * @param {number} pending
 * @param {Api.Tap[]} taps
 */
export function pendingAfter(own, pending, taps) {
  /** @type {number[]} */
  const presses = [];
  let points = pending;
  for (const { button, held = 0 } of taps) {
    const { side, action, points: more, hold_s } = facts.panel[button];
    if (`${side}` !== own) continue;
    if (more && points + more <= facts.most_points) {
      presses.push(more);
      points += more;
    } else if (action === "enter" || (action === "undo" && held >= hold_s)) {
      presses.length = points = 0;
    } else if (action === "undo") {
      points -= presses.pop() ?? 0;
    }
  }
  return points;
}

/** Return the labels of the buttons that were pressed. @param {Api.Tap[]} taps */
export function tapWords(taps) {
  const pressed = taps.filter(({ down }) => down !== false);
  return pressed.map(({ button }) => facts.panel[button]?.label ?? button).join(" ");
}

/** Answer to taps. @typedef {Pick<Api.TableNews, "revision" | "table"> & Partial<Pick<Api.TableNews, "feedback" | "hint">>} Answer */

/**
 * Latest state of the table. It comes from the news or from the answer to the page's own taps, whichever has
 * the greater `revision`. So older news do not overwrite an answer that the page has already shown.
 */
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
