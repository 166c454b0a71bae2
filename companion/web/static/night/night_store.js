// @ts-check
/**
 * The night as its stream has it, and the connection. A page of an older program loads itself again.
 */

import { NO_CONNECTION, Stream } from "../net/stream.js";
import { Store } from "../ui/store.js";
import { reload } from "../ui/reload.js";
import { fetchNightAbout } from "./night_about.js";

/**
 * @typedef {{rank: number, name: string, points: number, won: number, lost: number, net: number,
 *   plus: number, qualifies: boolean}} Standing
 * @typedef {{table: number, names: string[]}} Pair
 * @typedef {{number: number, pairs: Pair[], bye: string | null}} Round
 * @typedef {{lane: string, hole: string, kind: string, colour: string}} Peg
 * @typedef {{table: number, names: string[], lit: boolean, online: boolean, status: string,
 *   winner: string | null, spread: number | null, board: string | null, pegs: Peg[]}} Board
 * @typedef {{night: string, title: string, message: string, connected: boolean, round: number,
 *   planned_rounds: number, games: number, done: number, standings: Standing[], boards: Board[],
 *   seats: Round | null, next: Round | null}} Hall
 * @typedef {{text: string, action: string, seat: [number, number] | null, urgent: boolean}} Matter
 * @typedef {{id: number, name: string, playing: boolean, seated: boolean}} Entrant
 * @typedef {{round: number, table: number, names: string[], status: string, winner: string | null,
 *   plus: number | null, minus: number | null, entered: boolean}} Game
 * @typedef {{round: number, table: number, opponent: string, points: number, plus: number,
 *   minus: number, corrected: string | null}} CardLine
 * @typedef {{id: number, name: string, lines: CardLine[]}} Card
 * @typedef {{hall: Hall, attention: Matter[], refusal: string | null, finish: number,
 *   scoring: string, tables: number[], planned_rounds: number, entrants: Entrant[], games: Game[],
 *   cards: Card[]}} Night
 */

/** @template View */
export class NightStore extends Store {
  /**
   * @param {string} path of the stream
   * @param {string} version of the program that this page came from
   */
  constructor(path, version) {
    super();
    /** @type {View | null} */
    this.view = null;
    /** Grows by one whenever screens turn to their next page. */
    this.turn = 0;
    this.connection = NO_CONNECTION;
    new Stream(path, {
      hello: () => void reloadIfChanged(version),
      news: ({ turn, view }) => this.show(turn, view),
      state: (connection) => {
        this.connection = connection;
        this.changed();
      },
    });
  }

  /**
   * @param {number} turn
   * @param {View} view
   */
  show(turn, view) {
    this.turn = turn;
    this.view = view;
    this.changed();
  }
}

/** @param {string} version */
async function reloadIfChanged(version) {
  if ((await fetchNightAbout()).version !== version) reload();
}
