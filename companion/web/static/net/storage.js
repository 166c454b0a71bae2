// @ts-check
/**
 * Preferences in the browser's local storage; they are lost where it is not allowed.
 */

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
