// @ts-check
/**
 * Going through a game: a slider, and on the table's board too where that is asked for. The table
 * is asked for one place at a time, the newest, so that a slider that is dragged floods nobody.
 */

import { post } from "../net/post.js";

/** Milliseconds from one place to the next while it plays. */
const PACE = 1500;
/** Milliseconds in which the stream has surely told what came of what was asked. */
const HEARD = 500;

/** @typedef {import("../table/standing.js").Mode} Mode */
/**
 * @typedef {object} Shown
 * @property {(at: number) => void} place it stands at another place
 * @property {(plays: boolean) => void} plays it goes on by itself, or not
 * @property {(lent: boolean) => void} lent the board shows it, or not
 * @property {(text: string) => void} refused why the board does not show it, "" if nothing is wrong
 */

export class Replay {
  /** @param {Shown} shown */
  constructor(shown) {
    this.shown = shown;
    this.game = 0;
    this.last = 0;
    this.at = 0;
    this.lent = false;
    this.timer = 0;
    /** How much is asked of the table just now, and the place that it was last asked for. */
    this.asking = 0;
    /** @type {number | null} */
    this.asked = null;
    /** What the table told last. @type {Mode | null | undefined} */
    this.mode = null;
    addEventListener("pagehide", () => this.leave());
  }

  /**
   * Go through another game, from its end, or from where the board shows it already.
   *
   * @param {number} game
   * @param {number} last its last place
   */
  async open(game, last) {
    this.play(false);
    if (game !== this.game) await this.lend(false);
    this.game = game;
    this.last = last;
    this.show(last);
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
    this.shown.place(at);
  }

  /** @param {boolean} on */
  play(on) {
    clearInterval(this.timer);
    this.timer = 0;
    if (on) {
      if (this.at === this.last) this.go(0);
      this.timer = setInterval(() => this.step(), PACE);
    }
    this.shown.plays(on);
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
    this.setLent(on);
    this.shown.refused("");
    if (on) await this.ask();
    else await this.end();
  }

  /** Have the board show the place, and then the one that it has come to meanwhile. */
  async ask() {
    if (this.asking) return;
    this.asked = null;
    await this.asks(() => this.askOn());
  }

  async askOn() {
    while (this.lent && this.asked !== this.at) {
      this.asked = this.at;
      const refusal = await post("/api/replay", { game: this.game, at: this.at });
      if (!refusal) continue;
      this.setLent(false);
      this.shown.refused(refusal);
    }
  }

  async end() {
    await this.asks(async () => {
      const refusal = await post("/api/replay", { game: this.game, at: null });
      if (refusal) this.shown.refused(refusal);
    });
  }

  /**
   * Ask something; what is told meanwhile may be of before, and is looked at again afterwards.
   *
   * @param {() => Promise<void>} ask
   */
  async asks(ask) {
    this.asking += 1;
    await ask();
    this.asking -= 1;
    setTimeout(() => this.follow(), HEARD);
  }

  /** The page goes: the board need not wait for it. */
  leave() {
    if (!this.lent) return;
    this.setLent(false);
    fetch("/api/replay", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ game: this.game, at: null }),
      keepalive: true,
    }).catch(() => {}); // nobody is left to be told
  }

  /**
   * What the table tells: somebody may have ended it, or moved it on from another page.
   *
   * @param {Mode | null | undefined} mode
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
    this.shown.lent(lent);
  }
}
