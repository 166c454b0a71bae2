// @ts-check
/**
 * Keys that act from anywhere on a page. Those of a single character can be switched off on a device,
 * for people who dictate or whose hands slip (WCAG 2.1.4).
 */

import { recall, remember } from "../net/storage.js";

const STORED_AS = "single keys";

/** Return true if keys of a single character act. */
export function singleKeysOn() {
  return recall(STORED_AS) !== "off";
}

/** @param {boolean} on */
export function switchSingleKeys(on) {
  remember(STORED_AS, on ? "on" : "off");
  showCaps();
}

/** Call `open` whenever "?" is pressed. @param {() => void} open */
export function listenForHelp(open) {
  showCaps();
  addEventListener("keydown", (event) => {
    if (event.key === "?" && singleKeysOn() && !belongsElsewhere(event)) open();
  });
}

/** Keys that do nothing are not written on the buttons. */
function showCaps() {
  document.documentElement.classList.toggle("single-keys-off", !singleKeysOn());
}

/**
 * Return true for a key that belongs to an open dialog or to the focused control.
 *
 * @param {KeyboardEvent} event
 */
export function belongsElsewhere({ key, target }) {
  if (document.querySelector("dialog[open]")) return true;
  const focused = /** @type {Element} */ (target);
  if (focused.matches("input:not([type=checkbox]), select, textarea")) return true;
  const works = key === "Enter" || key === " ";
  return works && focused.matches("input, summary, button:not([data-button])");
}
