// @ts-check
/**
 * The page's event stream from the table. It reconnects by itself after the last entry that it knows,
 * and is closed while the page is hidden.
 */

const AGAIN_MS = 1000;

/** @typedef {"waiting" | "live" | "lost" | "off" | "restarts" | "resting"} Connection */
/** @typedef {{seq: number, line: string, events: any[], undone: any[]}} Entry an accepted command */
/**
 * @typedef {object} Listeners
 * @property {(viewer: number, seq: number) => void} hello the stream is open; given its number, and
 *   that of the newest entry: those up to it are history
 * @property {(news: any) => void} news the first ones follow the hello, and make the page live
 * @property {(entry: Entry) => void} [entry] each once, even after reconnects
 * @property {(text: string) => void} [frame]
 * @property {(state: Connection) => void} state
 */

export class Stream {
  /**
   * @param {string} url
   * @param {Listeners} listeners
   */
  constructor(url, listeners) {
    this.url = url;
    this.listeners = listeners;
    /** @type {EventSource | null} */
    this.source = null;
    this.timer = 0;
    /** The id of the last entry: a run of the server, a dot, a number. */
    this.last = "";
    /** State without a stream: "lost", or what a goodbye has said. @type {Connection} */
    this.silence = "lost";
    this.live = false;
    document.addEventListener("visibilitychange", () => this.follow());
    addEventListener("pagehide", () => this.close());
    addEventListener("pageshow", () => this.follow());
    this.follow();
  }

  /** Open the stream while the page is visible, close it otherwise. */
  follow() {
    if (document.visibilityState === "visible") {
      this.open();
    } else {
      this.close();
      this.listeners.state("resting");
    }
  }

  open() {
    if (this.source) return;
    clearTimeout(this.timer);
    const { hello, news, entry, frame, state } = this.listeners;
    const after = this.last && `?after=${encodeURIComponent(this.last)}`;
    const source = (this.source = new EventSource(this.url + after));
    /** @type {(name: string, listen: (data: string, id: string) => void) => void} */
    const on = (name, listen) =>
      source.addEventListener(name, (event) => {
        const { data, lastEventId } = /** @type {MessageEvent} */ (event);
        listen(data, lastEventId);
      });
    on("hello", (data) => {
      this.silence = "lost";
      const { viewer, seq } = JSON.parse(data);
      hello(viewer, seq);
    });
    on("news", (data) => {
      news(JSON.parse(data));
      if (!this.live) state("live");
      this.live = true;
    });
    on("entry", (data, id) => {
      this.last = id;
      entry?.(JSON.parse(data));
    });
    if (frame) on("frame", frame);
    on("goodbye", (data) => {
      this.silence = JSON.parse(data).restarts ? "restarts" : "off";
      this.again();
    });
    source.addEventListener("error", () => this.again());
  }

  again() {
    this.close();
    this.listeners.state(this.silence);
    this.timer = setTimeout(() => this.follow(), AGAIN_MS);
  }

  close() {
    clearTimeout(this.timer);
    this.source?.close();
    this.source = null;
    this.live = false;
  }
}
