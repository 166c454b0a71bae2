// @ts-check
/**
 * Event stream from the table to the page. It reconnects by itself and continues after the last entry it
 * received. It is closed while the page is hidden.
 *
 * The server sends a `beat` event when it has nothing else to send. A stream without an event for `SILENCE_MS`
 * is therefore dead, even if the browser reports it as open, and is opened again. A browser can have more
 * windows than places for streams (`StreamPlaces`). A window without a place opens its stream every
 * `VISIT_MS`, receives the present state, and closes the stream at the first beat.
 */

const AGAIN_MS = 1000;
/** Two and a half times the server's `BEAT_S`. */
const SILENCE_MS = 12_500;
const VISIT_MS = 2000;
const LOOK_MS = 250;
const [PLACES, TELL_MS, FORGET_MS] = [4, 1000, 3500];

/** @typedef {"waiting" | "live" | "lost" | "off" | "restarts" | "resting"} State */
/** @typedef {{state: State, at: Date | null}} Connection `at`: time of the last event */
/** @typedef {{"/api/stream": Api.TableStream, "/api/hall/stream": Api.HallStream, "/api/night/stream": Api.NightStream}} Streams */
/**
 * @template {keyof Streams} Url
 * @typedef {object} Listeners
 * @property {(hello: Api.Hello) => void} hello called when the stream is open
 * @property {(news: Streams[Url]["news"]) => void} news called with the state, first after `hello`
 * @property {(entry: Api.EntryResponse) => void} [entry] called once for each entry, even after a reconnect
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
    /** Id of the last entry: the run of the server, a dot and the number of the entry. */
    this.last = "";
    /** @type {State} */
    this.state = "waiting";
    /** State if the stream breaks: "lost", or "off" or "restarts" after a `goodbye` event. @type {State} */
    this.silence = "lost";
    /** Time of the last event, null before the first. @type {number | null} */
    this.heard = null;
    /** Time of the last event or of the last try to connect. */
    this.silentSince = 0;
    /** Earliest time to open the stream. */
    this.from = 0;
    /** True after the open stream has sent the present state. */
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

  /** Open a stream that is due, reopen a dead one, and close a current one that has no place. */
  look() {
    if (this.state === "resting") return;
    const now = Date.now();
    const age = now - this.silentSince;
    if (!this.source) {
      if (now >= this.from || now < this.from - SILENCE_MS) this.open();
    } else if (age > SILENCE_MS || age < 0) {
      this.again(); // a negative age means that the clock was set
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

/**
 * Places for the streams of one browser. A browser opens at most six connections to a server for all its
 * windows together, so six open streams would block every other request. Only the `PLACES` windows that the
 * user looked at last get a place. Every `TELL_MS`, each window tells the others when the user looked at it. A
 * window that is silent for `FORGET_MS` counts as closed.
 */
class StreamPlaces {
  /** @param {() => void} changed called when this window gets or loses a place */
  constructor(changed) {
    this.changed = changed;
    this.id = crypto.getRandomValues(new Uint32Array(2)).join();
    this.isIn = false;
    /** Time when the user last looked at this window. */
    this.looked = 0;
    /** The other windows by their ids. @type {Map<string, {looked: number, told: number}>} */
    this.others = new Map();
    this.channel = new BroadcastChannel("places");
    this.channel.addEventListener("message", ({ data: { id, looked } }) => {
      if (looked) this.others.set(id, { looked, told: performance.now() });
      else this.others.delete(id);
      this.judge();
    });
    this.has = true;
    for (const look of ["focus", "pointerdown"]) addEventListener(look, () => this.isIn && this.enter());
    setInterval(() => this.isIn && this.tell(), TELL_MS);
  }

  /** Mark this window as the one that the user looks at. */
  enter() {
    this.isIn = true;
    this.looked = Date.now();
    this.tell();
  }

  leave() {
    this.isIn = false;
    this.channel.postMessage({ id: this.id, looked: 0 });
  }

  tell() {
    this.channel.postMessage({ id: this.id, looked: this.looked });
    this.judge();
  }

  judge() {
    const now = performance.now();
    for (const [id, { told }] of this.others) if (now - told > FORGET_MS) this.others.delete(id);
    const before = [...this.others].filter(([id, { looked }]) => looked > this.looked || (looked === this.looked && id > this.id));
    const has = before.length < PLACES;
    if (has === this.has) return;
    this.has = has;
    this.changed();
  }
}
