// @ts-check
/**
 * Reloads that the user has not asked for. They wait while the user types: the text would be lost, and
 * the rest of it would press buttons.
 */

import { pause } from "../net/request.js";

const LOOK_AGAIN_MS = 500;
const FIELDS = "input:not([type=checkbox], [type=radio]), select, textarea";

/** Fields into which something was entered. @type {Set<HTMLInputElement>} */
const entered = new Set();
addEventListener("input", ({ target }) => void entered.add(/** @type {HTMLInputElement} */ (target)));

/** Reload the page as soon as no field has the focus or holds what was entered. */
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
