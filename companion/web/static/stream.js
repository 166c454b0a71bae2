// @ts-check
/**
 * The page's one stream from the table: it comes back by itself, and rests while nobody looks.
 */

const AGAIN_MS = 1000;

/**
 * @typedef {object} Listeners
 * @property {(viewer: number) => void} hello the stream is there; its number
 * @property {(news: any) => void} news
 * @property {(text: string) => void} frame
 * @property {(state: "live" | "lost" | "off" | "resting") => void} state
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
    /** Whether the table said goodbye, so that its silence is no fault. */
    this.off = false;
    document.addEventListener("visibilitychange", () => this.follow());
    addEventListener("pagehide", () => this.close());
    addEventListener("pageshow", () => this.follow());
    this.follow();
  }

  /** Be open while the page is seen. */
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
    const { hello, news, frame, state } = this.listeners;
    const source = (this.source = new EventSource(this.url));
    /** @type {(name: string, listen: (data: string) => void) => void} */
    const on = (name, listen) =>
      source.addEventListener(name, (event) => listen(/** @type {MessageEvent} */ (event).data));
    on("hello", (data) => {
      this.off = false;
      state("live");
      hello(JSON.parse(data).viewer);
    });
    on("news", (data) => news(JSON.parse(data)));
    on("frame", frame);
    on("goodbye", () => {
      this.off = true;
      this.again();
    });
    source.addEventListener("error", () => this.again());
  }

  again() {
    this.close();
    this.listeners.state(this.off ? "off" : "lost");
    this.timer = setTimeout(() => this.follow(), AGAIN_MS);
  }

  close() {
    clearTimeout(this.timer);
    this.source?.close();
    this.source = null;
  }
}
