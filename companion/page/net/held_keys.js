// @ts-check
/**
 * Keys of a score pad. A `Key` acts when it is pressed, a `HeldKey` by the length of the hold. Both accept
 * touch, mouse, keyboard, and the click event of a screen reader.
 */

import { classes } from "../ui/dialog.js";
import { html, useEffect, useRef } from "../vendor/preact.js";

const prevent = (/** @type {Event} */ event) => event.preventDefault();
const isPress = (/** @type {KeyboardEvent} */ { key }) => key === "Enter" || key === " ";

/**
 * Key that acts when it is pressed. Several keys can be down at the same time.
 *
 * @param {{name: string, act: () => void, children?: object} & Record<string, unknown>} props `name`: CSS classes
 */
export function Key({ name, act, children, ...attributes }) {
  const down = (/** @type {PointerEvent} */ event) => event.button === 0 && act();
  // A click with `detail` 0 comes from the keyboard or from a screen reader.
  const click = (/** @type {MouseEvent} */ event) => event.detail === 0 && act();
  return html`
    <button class=${classes("key", name)} type="button" onPointerDown=${down} onClick=${click} onContextMenu=${prevent}
      onKeyDown=${(/** @type {KeyboardEvent} */ event) => event.repeat && event.preventDefault()} ...${attributes}>${children}</button>`;
}

/**
 * Key that acts when it is released, or after a hold of `longest_s`.
 *
 * @param {{name: string, longest_s: number, act: (held: number) => void, clicked: () => number, children?: object}
 *   & Record<string, unknown>} props `act` receives the hold in seconds; `clicked` returns the hold for a click
 */
export function HeldKey({ name, longest_s: longest, act, clicked, children, ...attributes }) {
  const key = useRef(/** @type {HTMLElement | null} */ (null));
  const hold = useRef({ since: 0, timer: 0 });
  const down = () => {
    if (hold.current.since) return;
    hold.current = { since: performance.now(), timer: setTimeout(up, 1000 * longest) };
    key.current?.classList.add("down");
  };
  /** Release the key without acting. */
  const leave = () => {
    clearTimeout(hold.current.timer);
    hold.current.since = 0;
    key.current?.classList.remove("down");
  };
  const up = () => {
    const { since } = hold.current;
    if (!since) return;
    leave();
    act(Math.min((performance.now() - since) / 1000, longest));
  };
  useEffect(() => {
    document.addEventListener("visibilitychange", leave);
    return () => document.removeEventListener("visibilitychange", leave);
  }, []);
  const listeners = {
    onPointerDown: (/** @type {PointerEvent} */ event) => {
      if (event.button !== 0) return;
      /** @type {Element} */ (event.currentTarget).setPointerCapture(event.pointerId);
      down();
    },
    onPointerUp: up, onPointerCancel: leave, onBlur: leave, onContextMenu: prevent,
    onKeyDown: (/** @type {KeyboardEvent} */ event) => {
      if (!isPress(event)) return;
      event.preventDefault();
      if (!event.repeat) down();
    },
    onKeyUp: (/** @type {KeyboardEvent} */ event) => isPress(event) && up(),
    onClick: (/** @type {MouseEvent} */ event) => event.detail === 0 && act(clicked()),
  };
  return html`
    <button class=${classes("key held", name)} type="button" ref=${key} style=${{ "--hold": `${longest}s` }}
      ...${listeners} ...${attributes}>${children}</button>`;
}
