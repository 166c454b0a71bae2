// @ts-check
/**
 * The page's event stream from the table. It reconnects by itself after the last entry that it knows,
 * and is closed while the page is hidden.
 *
 * The server sends a beat in each silence, so a stream without an event for `SILENCE_MS` is dead, whatever
 * the browser believes; it is opened again. If a browser has more windows than places for streams, a
 * window without a place opens its stream every `VISIT_MS`, and closes it at the first beat, which
 * follows the present state.
 */

import { StreamPlaces } from "./stream_places.js";

const AGAIN_MS = 1000;
/** Two and a half times the server's `BEAT_S`. */
const SILENCE_MS = 12_500;
const VISIT_MS = 2000;
const LOOK_MS = 250;

/** @typedef {"waiting" | "live" | "lost" | "off" | "restarts" | "resting"} State */
/** @typedef {{state: State, at: Date | null}} Connection `at`: when the last event came */
/** @typedef {{"/api/stream": Api.TableStream, "/api/hall/stream": Api.HallStream, "/api/night/stream": Api.NightStream}} Streams */
/**
 * @template {keyof Streams} Url
 * @typedef {object} Listeners
 * @property {(hello: Api.Hello) => void} hello the stream is open
 * @property {(news: Streams[Url]["news"]) => void} news the first ones follow the hello, and make the page live
 * @property {(entry: Api.EntryResponse) => void} [entry] each once, even after reconnects
 * @property {(text: string) => void} [frame]
 * @property {(connection: Connection) => void} state
 */

/** Connection of a page whose stream has not been opened. @type {Connection} */
export const NO_CONNECTION = { state: "waiting", at: null };

/** @template {keyof Streams} Url */
export class Stream {
  /** @param {Url} url @param {Listeners<Url>} listeners */
  constructor(url, listeners) {
    this.url = url;
    this.listeners = listeners;
    /** @type {EventSource | null} */
    this.source = null;
    /** The id of the last entry: a run of the server, a dot, a number. */
    this.last = "";
    /** @type {State} */
    this.state = "waiting";
    /** State without a stream: "lost", or the one that a goodbye has named. @type {State} */
    this.silence = "lost";
    /** Time of the last event, null before the first. @type {number | null} */
    this.heard = null;
    /** Time of the last event or of the last try to connect. */
    this.silentSince = 0;
    /** Time before which the stream is not opened. */
    this.from = 0;
    /** True if the open stream has told the present state. */
    this.isCurrent = false;
    this.places = new StreamPlaces(() => {
      this.from = 0;
      this.look();
    });
    document.addEventListener("visibilitychange", () => this.follow());
    addEventListener("pagehide", () => this.rest());
    addEventListener("pageshow", () => this.follow());
    setInterval(() => this.look(), LOOK_MS);
    this.follow();
  }

  /** Open the stream while the page is visible, close it otherwise. */
  follow() {
    if (document.visibilityState !== "visible") return this.rest();
    this.from = 0;
    if (this.state === "resting") this.tell("waiting");
    this.places.enter();
    this.look();
  }

  rest() {
    this.close();
    this.places.leave();
    this.tell("resting");
  }

  /** Open the stream if it is time to; close it if it is dead, or current but without a place. */
  look() {
    if (this.state === "resting") return;
    const now = Date.now();
    const age = now - this.silentSince;
    if (!this.source) {
      if (now >= this.from || now < this.from - SILENCE_MS) this.open();
    } else if (age > SILENCE_MS || age < 0) {
      this.again(); // or the clock was set
    } else if (this.isCurrent && !this.places.has) {
      this.close();
      this.from = now + VISIT_MS;
    }
  }

  open() {
    const { hello, news, entry, frame } = this.listeners;
    const after = this.last && `?after=${encodeURIComponent(this.last)}`;
    const source = (this.source = new EventSource(this.url + after));
    this.silentSince = Date.now();
    /** @type {(name: string, listen: (data: string, id: string) => void) => void} */
    const on = (name, listen) =>
      source.addEventListener(name, (event) => {
        if (source !== this.source) return;
        this.heard = this.silentSince = Date.now();
        const { data, lastEventId } = /** @type {MessageEvent} */ (event);
        listen(data, lastEventId);
      });
    on("hello", (data) => {
      this.silence = "lost";
      hello(JSON.parse(data));
    });
    on("news", (data) => {
      news(JSON.parse(data));
      this.tell("live");
    });
    on("entry", (data, id) => {
      this.last = id;
      entry?.(JSON.parse(data));
    });
    if (frame) on("frame", frame);
    on("beat", () => {
      this.isCurrent = true;
      this.look();
    });
    on("goodbye", (data) => {
      this.silence = JSON.parse(data).restarts ? "restarts" : "off";
      this.again();
    });
    source.addEventListener("error", () => source === this.source && this.again());
  }

  again() {
    this.close();
    this.tell(this.silence);
    this.from = Date.now() + AGAIN_MS;
  }

  close() {
    this.source?.close();
    this.source = null;
    this.isCurrent = false;
  }

  /** @param {State} state */
  tell(state) {
    if (state === this.state) return;
    this.state = state;
    this.listeners.state({ state, at: this.heard === null ? null : new Date(this.heard) });
  }
}
