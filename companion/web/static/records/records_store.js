// @ts-check
/**
 * The recorded games as the page knows them: the list, the opened game, statistics and matches.
 */

import { request } from "../net/request.js";
import { Store } from "../ui/store.js";

/** @typedef {import("./statistics_table.js").Statistics} Statistics */
/**
 * @typedef {{number: number, standing: "running" | "won" | "left", begun: number, title: string,
 *   finish: number, winner: number | null, worth: number | null, counts: number, hands: number,
 *   sides: Record<string, {name: string | null, progress: number, caught: number}>}} Game
 * @typedef {{number: number, games: number[], to: number | null, score: Record<string, number>,
 *   names: Record<string, string>, winner: number | null}} Match
 * @typedef {{seq: number, t: number, hand: number, words: string, notable: string | null,
 *   team: number | null}} Place
 * @typedef {{front: [number, number], back: [number, number]}} Pegs in millimetres on the sheet
 * @typedef {{game: Game, here: boolean, width_mm: number, height_mm: number, places: Place[],
 *   progress: Record<string, number[]>, win_chances: Record<string, number[]>, pegs: Record<string, Pegs[]>}} RecordedGame
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
    /** The place at which it was opened. */
    this.at = 0;
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

  /**
   * Open a game at its end, or at a place.
   *
   * @param {number} number
   * @param {(places: Place[]) => number} [placeIn] chooses the place
   */
  async open(number, placeIn = () => Infinity) {
    const found = /** @type {RecordedGame | null} */ (await this.read(`/api/games/${number}`));
    if (!found) return;
    this.opened = found;
    this.at = Math.max(0, Math.min(placeIn(found.places), found.places.length - 1));
    history.replaceState(null, "", `#game=${number}`);
    this.changed();
  }

  /**
   * Open what an address names: `#game=12`, with `&at=3` at a place; `#seq=345`, at a command of the
   * log.
   *
   * @param {string} hash
   */
  async follow(hash) {
    const named = new URLSearchParams(hash.slice(1));
    const [game, at, seq] = ["game", "at", "seq"].map((name) => Number(named.get(name) ?? NaN));
    if (game) await this.open(game, () => (Number.isNaN(at) ? Infinity : at));
    if (game || !seq) return;
    const found = await this.read(`/api/commands/${seq}`);
    if (found) await this.open(found.game, (places) => places.filter((place) => place.seq <= seq).length - 1);
  }

  /**
   * Return the answer of the table; on a refusal note it for display and return null.
   *
   * @param {string} path
   * @returns {Promise<any>}
   */
  async read(path) {
    const { value, refusal } = await request(path);
    if (!refusal) return value;
    this.fault = refusal;
    this.changed();
    return null;
  }
}
