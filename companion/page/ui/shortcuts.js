// @ts-check
/**
 * Keyboard shortcuts of a page. Those of a single character can be switched off on a device, for people who dictate
 * or whose hands slip (WCAG 2.1.4). They pause after a page load and after a field has lost the focus, until no key
 * has been pressed for a second. So text that the user is still typing does not trigger them.
 */

import { recall, remember } from "../net/storage.js";

const STORED_AS = "single keys";
const REST_MS = 1000;

const FIELDS = "input:not([type=checkbox], [type=radio]), select, textarea";

/** Timer that ends the pause of the shortcuts; 0 if there is no pause. */
let waking = 0;
rest();
for (const name of ["keydown", "keyup"]) addEventListener(name, () => waking && rest(), { capture: true });
addEventListener("focusout", ({ target }) => /** @type {Element} */ (target).matches(FIELDS) && rest());

function rest() {
  clearTimeout(waking);
  waking = setTimeout(wake, REST_MS);
  showCaps();
}

function wake() {
  waking = 0;
  showCaps();
}

/** Return true if shortcuts of a single character act now. */
export function singleKeysAct() {
  return singleKeysOn() && !waking;
}

/** Return true if shortcuts of a single character are switched on for this device. */
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
  addEventListener("keydown", (event) => {
    if (event.key === "?" && singleKeysAct() && !belongsElsewhere(event)) open();
  });
}

/** Show the shortcuts on the buttons only while they act. */
function showCaps() {
  document.documentElement.classList.toggle("single-keys-off", !singleKeysOn());
  document.documentElement.classList.toggle("single-keys-rest", Boolean(waking));
}

/** Return true for a key that belongs to an open dialog or to the focused control. @param {KeyboardEvent} event */
export function belongsElsewhere({ key, target }) {
  if (document.querySelector("dialog[open]")) return true;
  const focused = /** @type {Element} */ (target);
  if (focused.matches("input:not([type=checkbox]), select, textarea")) return true;
  const works = key === "Enter" || key === " ";
  return works && focused.matches("input, summary, button:not([data-button])");
}
