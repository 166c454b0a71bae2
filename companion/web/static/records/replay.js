// @ts-check
/**
 * Replay of a game, on the page and if wanted on the table's board. Only one request is on its way at
 * a time, then the newest place is sent, so that dragging the slider does not flood the table.
 */

import { request } from "../net/request.js";
import { Store } from "../ui/store.js";

/** Time from one place to the next during playback at speed 1. */
const STEP_MS = 1500;
export const SPEEDS = [0.5, 1, 2, 4];
/** Time after which the stream has brought the result of a request. */
const SETTLE_MS = 500;

export class Replay extends Store {
  constructor() {
    super();
    this.game = 0;
    this.last = 0;
    this.at = 0;
    /** True while the table's board shows the replay. */
    this.lent = false;
    /** The reason why the board does not show it, "" if there is none. */
    this.refusal = "";
    this.timer = 0;
    this.speed = 1;
    /** Number of requests on their way, and the place of the last one. */
    this.asking = 0;
    /** @type {number | null} */
    this.asked = null;
    /** Mode of the table in the last news. @type {Api.TableNews["mode"]} */
    this.mode = null;
    addEventListener("pagehide", () => this.leave());
  }

  /**
   * Open another game at a place, or at the one that the board shows.
   *
   * @param {number} game
   * @param {number} last its last place
   * @param {number} at
   */
  async open(game, last, at) {
    this.play(false);
    if (game !== this.game) await this.lend(false);
    this.game = game;
    this.last = last;
    this.refusal = "";
    this.show(at);
    this.follow();
  }

  /** @param {number} at */
  go(at) {
    this.show(Math.min(this.last, Math.max(0, at)));
    if (this.lent) this.ask();
  }

  /** @param {number} at */
  show(at) {
    this.at = at;
    this.changed();
  }

  /** @param {boolean} on */
  play(on) {
    clearInterval(this.timer);
    this.timer = 0;
    if (on) {
      if (this.at === this.last) this.go(0);
      this.timer = setInterval(() => this.step(), STEP_MS / this.speed);
    }
    this.changed();
  }

  /** @param {number} speed */
  setSpeed(speed) {
    this.speed = speed;
    this.play(this.plays);
  }

  get plays() {
    return this.timer !== 0;
  }

  step() {
    this.go(this.at + 1);
    if (this.at === this.last) this.play(false);
  }

  /** @param {boolean} on whether the board shall show it */
  async lend(on) {
    if (on === this.lent) return;
    this.refusal = "";
    this.setLent(on);
    if (on) await this.ask();
    else await this.end();
  }

  /** Show the current place on the board, and go on until it is the newest. */
  async ask() {
    if (this.asking) return;
    this.asked = null;
    await this.asks(() => this.askOn());
  }

  async askOn() {
    while (this.lent && this.asked !== this.at) {
      this.asked = this.at;
      this.refusal = (await request("/api/replay", { game: this.game, at: this.at })).refusal;
      if (this.refusal) this.setLent(false);
    }
  }

  async end() {
    await this.asks(async () => {
      this.refusal = (await request("/api/replay", { game: this.game, at: null })).refusal;
      this.changed();
    });
  }

  /**
   * Run a request. News that come meanwhile may be older than it, so follow them only afterwards.
   *
   * @param {() => Promise<void>} ask
   */
  async asks(ask) {
    this.asking += 1;
    await ask();
    this.asking -= 1;
    setTimeout(() => this.follow(), SETTLE_MS);
  }

  /** End the replay on the board when the page is left. */
  leave() {
    if (!this.lent) return;
    this.setLent(false);
    request("/api/replay", { game: this.game, at: null }, { keepalive: true });
  }

  /**
   * Take the table's mode: the replay may have been ended or moved from elsewhere.
   *
   * @param {Api.TableNews["mode"]} mode
   */
  told(mode) {
    this.mode = mode;
    this.follow();
  }

  follow() {
    const { mode } = this;
    if (this.asking || !this.game) return;
    const lent = mode?.state === "replay" && mode.game === this.game;
    if (this.lent && !lent) this.play(false);
    this.setLent(lent);
    if (lent && mode.at !== this.at) this.show(Math.min(mode.at, this.last));
  }

  /** @param {boolean} lent */
  setLent(lent) {
    this.lent = lent;
    this.changed();
  }
}
