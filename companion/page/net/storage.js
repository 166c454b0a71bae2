// @ts-check
/** Values that the browser stores for this device or for one window. A browser can refuse to store anything. */

/** Storage key of the path of the hand of cards that this device opened last. */
export const OWN_HAND = "hand";
/** Path of a hand; the token of the hand follows it. */
export const HAND_PATH = "/hand?hand=";

/** @typedef {"localStorage" | "sessionStorage"} Storage for the device, or for the window */

/** @param {string} name @param {Storage} [storage] */
export function recall(name, storage = "localStorage") {
  try {
    return window[storage].getItem(name);
  } catch {
    return null;
  }
}

/** Return true if "yes" is stored for this window, and forget it. @param {string} name */
export function takeMark(name) {
  const isMarked = recall(name, "sessionStorage") === "yes";
  remember(name, "", "sessionStorage");
  return isMarked;
}

/**
 * @param {string} name
 * @param {string} value
 * @param {Storage} [storage]
 */
export function remember(name, value, storage = "localStorage") {
  try {
    window[storage].setItem(name, value);
  } catch {
    // Nothing is stored, so the next page starts without the value.
  }
}
