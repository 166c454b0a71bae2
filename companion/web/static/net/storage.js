// @ts-check
/**
 * Preferences in the browser's local storage; they are lost where it is not allowed.
 */

/** Key of the path of the hand of cards that was opened on this device last. */
export const OWN_HAND = "hand";
/** The path of every hand, before its token. */
export const HAND_PATH = "/hand?hand=";

/** @param {string} name */
export function recall(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null; // A browser may keep nothing.
  }
}

/**
 * @param {string} name
 * @param {string} value
 */
export function remember(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {
    // Then it is asked again.
  }
}
