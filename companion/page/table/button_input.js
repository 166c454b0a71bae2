// @ts-check
/**
 * Presses and holds of the mock buttons by mouse, touch and keyboard. Each press is released, even if the page
 * loses the pointer, the key or the focus.
 */

import { belongsElsewhere, singleKeysAct } from "../ui/shortcuts.js";

/** Longest hold in a request. Soon after this time, the server releases a button that is still down. */
const LONGEST_S = 9;

/** @typedef {(tap: Api.Tap) => void} Press called when a button is pressed, and again when it is released */

export class ButtonInput {
  /**
   * @param {Record<string, string>} buttons button for each key code; the keys act anywhere on the page
   * @param {Press} press
   * @param {() => void} changed called when a button is pressed or released
   */
  constructor(buttons, press, changed) {
    this.buttons = buttons;
    this.press = press;
    this.changed = changed;
    /**
     * Pressed buttons by the input that holds them, e.g. "pointer 1" or "key KeyQ".
     * @type {Map<string, {button: string, since: number}>}
     */
    this.held = new Map();
    addEventListener("keydown", (event) => this.keyDown(event));
    addEventListener("keyup", (event) => this.up(`key ${event.code}`));
    for (const end of ["blur", "pagehide"]) addEventListener(end, () => this.upAll());
    document.addEventListener("visibilitychange", () => this.upAll());
  }

  /**
   * Return the listeners of a button's element, for pointers and for the click event of a screen reader. A
   * press does not move the focus to the button; otherwise the space bar would press this button, not its own.
   *
   * @param {string} button
   */
  listeners(button) {
    const prevent = (/** @type {Event} */ event) => event.preventDefault();
    const up = (/** @type {PointerEvent} */ event) => this.up(`pointer ${event.pointerId}`);
    return {
      onPointerDown: (/** @type {PointerEvent} */ event) => {
        if (event.button !== 0) return;
        /** @type {Element} */ (event.currentTarget).setPointerCapture(event.pointerId);
        this.down(button, `pointer ${event.pointerId}`);
      },
      onPointerUp: up, onPointerCancel: up, onLostPointerCapture: up,
      onMouseDown: prevent, onContextMenu: prevent,
      onClick: (/** @type {MouseEvent} */ event) => event.detail === 0 && this.tap(button),
    };
  }

  /** @param {string} button */
  isDown(button) {
    return [...this.held.values()].some((held) => held.button === button);
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
    const focused = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset.button;
    if (focused && (event.key === "Enter" || event.key === " ")) return focused;
    return singleKeysAct() ? this.buttons[event.code] : undefined;
  }

  /** @param {string} button */
  tap(button) {
    this.down(button, "click");
    this.up("click");
  }

  /** @param {string} button @param {string} by input that holds it */
  down(button, by) {
    if (this.isDown(button)) return;
    this.held.set(by, { button, since: performance.now() });
    this.changed();
    this.press({ button, held: 0, down: true });
  }

  /** @param {string} by input that held it */
  up(by) {
    const { button, since } = this.held.get(by) ?? {};
    if (!button || !since) return;
    this.held.delete(by);
    this.changed();
    const held = Math.min((performance.now() - since) / 1000, LONGEST_S);
    this.press({ button, held, down: false });
  }

  upAll() {
    for (const by of [...this.held.keys()]) this.up(by);
  }
}
