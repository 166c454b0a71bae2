// @ts-check
/**
 * Reload that the user did not ask for. It waits while the user types; otherwise the text would be lost, and the
 * next keys would press buttons.
 */

import { pause } from "../net/request.js";

const LOOK_AGAIN_MS = 500;
const FIELDS = "input:not([type=checkbox], [type=radio]), select, textarea";

/** Fields into which the user has typed. @type {Set<HTMLInputElement>} */
const entered = new Set();
addEventListener("input", ({ target }) => void entered.add(/** @type {HTMLInputElement} */ (target)));

/** Reload the page as soon as no field has the focus or contains typed text. */
export async function reload() {
  while (isTyping()) await pause(LOOK_AGAIN_MS);
  location.reload();
}

function isTyping() {
  for (const field of entered) {
    if (!field.isConnected || !field.matches(FIELDS) || !field.value) entered.delete(field);
  }
  return entered.size > 0 || Boolean(document.activeElement?.matches(FIELDS));
}
