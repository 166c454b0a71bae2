// @ts-check
/**
 * Replay of a game on the page and, if the user wants it, on the table's board. Only one place is under way
 * at a time; after the answer the newest place is sent. So dragging the slider does not flood the table.
 */

import { request } from "../net/request.js";
import { Store } from "../ui/store.js";

/** Time between two places during playback at speed 1. */
const STEP_MS = 1500;
export const SPEEDS = [0.5, 1, 2, 4];
/** Time within which the stream brings the result of a request. */
const SETTLE_MS = 500;

export class Replay extends Store {
  constructor() {
    super();
    this.game = 0;
    this.last = 0;
    this.at = 0;
    /** True while the table's board shows the replay. */
    this.lent = false;
    /** Reason why the board does not show the replay, or "". */
    this.refusal = "";
    this.timer = 0;
    this.speed = 1;
    /** Number of requests under way. */
    this.asking = 0;
    /** Place in the last request. @type {number | null} */
    this.asked = null;
    /** Mode of the table in the last news. @type {Api.TableNews["mode"]} */
    this.mode = null;
    addEventListener("pagehide", () => this.leave());
  }

  /**
   * Open a game at a place, or, if the board already replays it, at the place that the board shows.
   *
   * @param {number} game
   * @param {number} last last place of the game
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

  /** @param {boolean} on true to show the replay on the board */
  async lend(on) {
    if (on === this.lent) return;
    this.refusal = "";
    this.setLent(on);
    if (on) await this.ask();
    else await this.end();
  }

  /** Send the current place to the board. Repeat this if the place has changed meanwhile. */
  async ask() {
    if (this.asking) return;
    this.asked = null;
    await this.asks(async () => {
      while (this.lent && this.asked !== this.at) {
        this.asked = this.at;
        this.refusal = (await request("/api/replay", { game: this.game, at: this.at })).refusal;
        if (this.refusal) this.setLent(false);
      }
    });
  }

  async end() {
    await this.asks(async () => {
      this.refusal = (await request("/api/replay", { game: this.game, at: null })).refusal;
      this.changed();
    });
  }

  /**
   * Run a request. Follow the news only afterwards: news received meanwhile can be older than the result.
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
   * Update the mode of the table. Another device may have ended or moved the replay.
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
