// @ts-check
/**
 * What this browser remembers of its owner's ways, if it remembers anything.
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
