// @ts-check
/** Store of the records: the list of games, the opened game, the statistics and the matches. */

import { request } from "../net/request.js";
import { Store } from "../ui/store.js";

const PAGE = 10;

export class RecordsStore extends Store {
  constructor() {
    super();
    /** Games from the newest to the oldest; null until they have been fetched. @type {Api.RecordedGame[] | null} */
    this.games = null;
    this.more = false;
    /** @type {Api.GameTimeline | null} */
    this.opened = null;
    /** Place at which the game was opened. */
    this.at = 0;
    /** @type {Api.Statistics | null} */
    this.statistics = null;
    /** @type {Api.MatchRecord[]} */
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

  /** @param {number} [before] number of a game; older games are appended to the list */
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
   * @param {(places: Api.TimelineEntry[]) => number} [placeIn] chooses the place; by default the end
   */
  async open(number, placeIn = () => Infinity) {
    const found = /** @type {Api.GameTimeline | null} */ (await this.read(`/api/games/${number}`));
    if (!found) return;
    this.opened = found;
    this.at = Math.max(0, Math.min(placeIn(found.places), found.places.length - 1));
    history.replaceState(null, "", `#game=${number}`);
    this.changed();
  }

  /**
   * Open the game of an address: `#game=12`, `#game=12&at=3` for a place of it, or `#seq=345` for the place
   * of a log entry.
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
   * Return the answer of the table. On a refusal, show the reason and return null.
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
