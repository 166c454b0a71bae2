// @ts-check
/**
 * Places for the streams of one browser. It opens at most six connections to a server for all its
 * windows together; six streams would keep every other request waiting. The windows that were looked at
 * last have a place. They tell each other every `TELL_MS`; a window that was closed is forgotten.
 */

const PLACES = 4;
const TELL_MS = 1000;
const FORGET_MS = 3500;

export class StreamPlaces {
  /** @param {() => void} changed is called when this window has got a place or lost it */
  constructor(changed) {
    this.changed = changed;
    this.id = crypto.getRandomValues(new Uint32Array(2)).join();
    this.isIn = false;
    /** When this window was looked at last. */
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

  /** Take part as the window that the user looks at. */
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
