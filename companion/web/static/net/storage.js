// @ts-check
/**
 * Values that the browser stores for this device, or for one window of it; a browser may also store nothing.
 */

/** Key of the path of the hand of cards that was opened on this device last. */
export const OWN_HAND = "hand";
/** The path of every hand, before its token. */
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

/**
 * @param {string} name
 * @param {string} value
 * @param {Storage} [storage]
 */
export function remember(name, value, storage = "localStorage") {
  try {
    window[storage].setItem(name, value);
  } catch {
    // The page then asks again.
  }
}
