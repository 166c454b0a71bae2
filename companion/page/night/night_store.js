// @ts-check
/** State of the game night and of the connection. A page of another version of the program reloads itself. */

import { NO_CONNECTION, Stream } from "../net/stream.js";
import { Store } from "../ui/store.js";
import { reload } from "../ui/reload.js";
import { fetchAbout } from "../ui/about.js";

/**
 * @template {"/api/hall/stream" | "/api/night/stream"} Url
 * @typedef {import("../net/stream.js").Streams[Url]["news"]["view"]} View
 */

/** @template {"/api/hall/stream" | "/api/night/stream"} Url */
export class NightStore extends Store {
  /**
   * @param {Url} path of the stream
   * @param {string} version version of the program that served this page
   */
  constructor(path, version) {
    super();
    /** @type {View<Url> | null} */
    this.view = null;
    /** Number that increases by one when the screens show their next page. */
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

  /** @param {number} turn @param {View<Url>} view */
  show(turn, view) {
    this.turn = turn;
    this.view = view;
    this.changed();
  }
}

/** Fetch the facts about the organiser's program and set the page's language. @returns {Promise<Api.NightAbout>} */
export async function fetchNightAbout() {
  return JSON.parse(await fetchAbout());
}

/** @param {string} version */
async function reloadIfChanged(version) {
  if ((await fetchNightAbout()).version !== version) reload();
}
