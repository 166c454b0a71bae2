// @ts-check
/**
 * The keys of a score pad: some act when they go down, some by the length of the hold. They take
 * touch, mouse, keyboard, and the bare click of a screen reader.
 */

/**
 * Make a key act when it goes down; touches may overlap.
 *
 * @param {HTMLElement} key
 * @param {() => void} act
 */
export function tapped(key, act) {
  key.addEventListener("pointerdown", (event) => {
    if (event.button === 0) act();
  });
  // A click that no pointer made: of a key on the keyboard, or of a screen reader.
  key.addEventListener("click", (event) => {
    if (event.detail === 0) act();
  });
  key.addEventListener("keydown", (event) => {
    if (event.repeat) event.preventDefault();
  });
  key.addEventListener("contextmenu", (event) => event.preventDefault());
}

/** Key that acts when it is released, or after a hold of `longest` seconds. */
export class HeldKey {
  /**
   * @param {HTMLElement} key
   * @param {object} how
   * @param {number} how.longest
   * @param {(held: number) => void} how.act given the seconds
   * @param {() => number} [how.clicked] the seconds that a bare click stands for
   */
  constructor(key, { longest, act, clicked = () => 0 }) {
    this.key = key;
    this.longest = longest;
    this.act = act;
    this.since = 0;
    this.timer = 0;
    key.style.setProperty("--hold", `${longest}s`);
    key.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      key.setPointerCapture(event.pointerId);
      this.down();
    });
    key.addEventListener("pointerup", () => this.up());
    key.addEventListener("pointercancel", () => this.leave());
    key.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      if (!event.repeat) this.down();
    });
    key.addEventListener("keyup", (event) => {
      if (event.key === "Enter" || event.key === " ") this.up();
    });
    key.addEventListener("click", (event) => {
      if (event.detail === 0) act(clicked());
    });
    key.addEventListener("contextmenu", (event) => event.preventDefault());
    key.addEventListener("blur", () => this.leave());
    document.addEventListener("visibilitychange", () => this.leave());
  }

  down() {
    if (this.since) return;
    this.since = performance.now();
    this.key.classList.add("down");
    this.timer = setTimeout(() => this.up(), 1000 * this.longest);
  }

  up() {
    if (!this.since) return;
    const held = (performance.now() - this.since) / 1000;
    this.leave();
    this.act(Math.min(held, this.longest));
  }

  /** Release the key without acting. */
  leave() {
    clearTimeout(this.timer);
    this.since = 0;
    this.key.classList.remove("down");
  }
}
