// @ts-check
/**
 * Places for the streams of one browser. A browser opens at most six connections to a server for all its
 * windows together, so six open streams would block every other request. Only the `PLACES` windows that the
 * user looked at last get a place. Every `TELL_MS`, each window tells the others when the user looked at it. A
 * window that is silent for `FORGET_MS` counts as closed.
 */

const PLACES = 4;
const TELL_MS = 1000;
const FORGET_MS = 3500;

export class StreamPlaces {
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
