// @ts-check
/**
 * The recorded games as the page knows them: the list, the opened game, statistics and matches.
 */

import { say } from "../i18n/language.js";
import { Store } from "../ui/store.js";

/** @typedef {import("./statistics_table.js").Statistics} Statistics */
/**
 * @typedef {{number: number, standing: "running" | "won" | "left", begun: number, title: string,
 *   finish: number, winner: number | null, worth: number | null, counts: number, hands: number,
 *   sides: Record<string, {name: string | null, progress: number, caught: number}>}} Game
 * @typedef {{number: number, games: number[], to: number | null, score: Record<string, number>,
 *   names: Record<string, string>, winner: number | null}} Match
 * @typedef {{game: Game, here: boolean, places: {t: number, hand: number, words: string}[],
 *   progress: Record<string, number[]>}} RecordedGame
 * @typedef {{games: number, sides: Record<string, Statistics>, names: Record<string, Statistics>}} Totals
 */

const PAGE = 10;

export class RecordsStore extends Store {
  constructor() {
    super();
    /** The newest first; null until they are known. @type {Game[] | null} */
    this.games = null;
    this.more = false;
    /** @type {RecordedGame | null} */
    this.opened = null;
    /** @type {Totals | null} */
    this.statistics = null;
    /** @type {Match[]} */
    this.matches = [];
    this.fault = "";
  }

  /** Fetch the list, the statistics and the matches again. */
  async refresh() {
    await this.list();
    this.statistics = await this.read("/api/statistics");
    this.matches = (await this.read("/api/matches")) ?? [];
    this.changed();
  }

  /** @param {number} [before] the oldest known game, to have older ones added */
  async list(before) {
    const found = await this.read(`/api/games?most=${PAGE}${before ? `&before=${before}` : ""}`);
    if (!found) return;
    this.games = [...((before && this.games) || []), ...found.games];
    this.more = found.more;
    this.fault = "";
    this.changed();
  }

  /** @param {number} number */
  async open(number) {
    this.opened = (await this.read(`/api/games/${number}`)) ?? this.opened;
    this.changed();
  }

  /**
   * Return what the table answers; on an error keep it for display and return null.
   *
   * @param {string} path
   * @returns {Promise<any>}
   */
  async read(path) {
    try {
      const answer = await fetch(path);
      const value = await answer.json();
      if (answer.ok) return value;
      this.fault = value.error;
    } catch {
      this.fault = say("The table cannot be reached.");
    }
    this.changed();
    return null;
  }
}
