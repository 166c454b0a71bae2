// @ts-check
/**
 * Presses and holds of the mock buttons by mouse, touch and keyboard. Every press is released, even
 * if the pointer, the key or the page is lost meanwhile.
 */

import { belongsElsewhere, singleKeysOn } from "../ui/shortcuts.js";

/** Longest hold that a request may carry; the server lets a button up soon after. */
const LONGEST_S = 9;

/** @typedef {(tap: import("./taps.js").Tap) => void} Press takes each half of a press */

export class ButtonInput {
  /** @param {Press} press */
  constructor(press) {
    this.press = press;
    /** @type {Map<string, HTMLElement>} */
    this.elements = new Map();
    /** @type {Map<string, string>} */
    this.keys = new Map();
    /**
     * The buttons that are down, by what holds them: a pointer or a key.
     * @type {Map<string, {button: string, since: number}>}
     */
    this.held = new Map();
    addEventListener("keydown", (event) => this.keyDown(event));
    addEventListener("keyup", (event) => this.up(`key ${event.code}`));
    for (const end of ["blur", "pagehide"]) addEventListener(end, () => this.upAll());
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
    return singleKeysOn() ? this.keys.get(event.key.toLowerCase()) : undefined;
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
    if ([...this.held.values()].some((held) => held.button === button)) return;
    this.held.set(by, { button, since: performance.now() });
    this.elements.get(button)?.classList.add("down");
    this.press({ button, held: 0, down: true });
  }

  /** @param {string} by what held it */
  up(by) {
    const { button, since } = this.held.get(by) ?? {};
    if (!button || !since) return;
    this.held.delete(by);
    this.elements.get(button)?.classList.remove("down");
    const held = Math.min((performance.now() - since) / 1000, LONGEST_S);
    this.press({ button, held, down: false });
  }

  upAll() {
    for (const by of [...this.held.keys()]) this.up(by);
  }
}
