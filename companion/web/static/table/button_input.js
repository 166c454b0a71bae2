// @ts-check
/**
 * Presses and holds of the mock buttons by mouse, touch and keyboard. Every press is released, even
 * if the pointer, the key or the page is lost meanwhile.
 */

/** Shortest press that the debouncer does not take for a spike. */
const MIN_PRESS_MS = 60;

/** @typedef {(button: string, down: boolean) => Promise<void>} Send */

export class ButtonInput {
  /** @param {Send} send tells the table; must not reject */
  constructor(send) {
    this.send = send;
    /** @type {Map<string, HTMLElement>} */
    this.elements = new Map();
    /** @type {Map<string, string>} */
    this.keys = new Map();
    /** The buttons that are down, by what holds them: a pointer or a key. @type {Map<string, string>} */
    this.held = new Map();
    /** The last message of each button, so that the next one waits. @type {Map<string, Promise<unknown>>} */
    this.last = new Map();
    addEventListener("keydown", (event) => this.keyDown(event));
    addEventListener("keyup", (event) => this.up(`key ${event.code}`));
    addEventListener("blur", () => this.upAll());
    document.addEventListener("visibilitychange", () => this.upAll());
  }

  /**
   * @param {HTMLElement} element pressed by pointers, and by a key while it has the focus
   * @param {string} button
   * @param {string} key presses it from anywhere on the page
   */
  bind(element, button, key) {
    this.elements.set(button, element);
    this.keys.set(key, button);
    element.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      element.setPointerCapture(event.pointerId);
      this.down(button, `pointer ${event.pointerId}`);
    });
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) {
      element.addEventListener(end, (event) =>
        this.up(`pointer ${/** @type {PointerEvent} */ (event).pointerId}`),
      );
    }
    // The focus stays where it was, so that the next space bar is not taken for this button.
    element.addEventListener("mousedown", (event) => event.preventDefault());
    element.addEventListener("contextmenu", (event) => event.preventDefault());
    // Screen readers click without a pointer or a key.
    element.addEventListener("click", (event) => {
      if (event.detail === 0) this.tap(button);
    });
  }

  /** @param {KeyboardEvent} event */
  keyDown(event) {
    const button = belongsElsewhere(event) ? undefined : this.buttonOf(event);
    if (!button || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    if (!event.repeat) this.down(button, `key ${event.code}`);
  }

  /** @param {KeyboardEvent} event */
  buttonOf(event) {
    if (event.key === "Enter" || event.key === " ") {
      for (const [button, element] of this.elements) {
        if (element === document.activeElement) return button;
      }
    }
    return this.keys.get(event.key.toLowerCase());
  }

  /** @param {string} button */
  tap(button) {
    this.down(button, "click");
    this.up("click");
  }

  /**
   * @param {string} button
   * @param {string} by what holds it
   */
  down(button, by) {
    if ([...this.held.values()].includes(button)) return;
    this.held.set(by, button);
    this.elements.get(button)?.classList.add("down");
    this.queue(button, true);
  }

  /** @param {string} by what held it */
  up(by) {
    const button = this.held.get(by);
    if (!button) return;
    this.held.delete(by);
    this.elements.get(button)?.classList.remove("down");
    this.queue(button, false);
  }

  upAll() {
    for (const by of [...this.held.keys()]) this.up(by);
  }

  /**
   * @param {string} button
   * @param {boolean} down
   */
  queue(button, down) {
    const before = this.last.get(button) ?? Promise.resolve();
    const tell = () =>
      Promise.all([this.send(button, down), down ? pause(MIN_PRESS_MS) : undefined]);
    this.last.set(button, before.then(tell));
  }
}

/**
 * Return true for a key that belongs to an open dialog or to the focused control.
 *
 * @param {KeyboardEvent} event
 */
function belongsElsewhere({ key, target }) {
  if (document.querySelector("dialog[open]")) return true;
  const works = key === "Enter" || key === " ";
  return works && /** @type {Element} */ (target).matches("input, button:not([data-button])");
}

/** @param {number} ms */
function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
