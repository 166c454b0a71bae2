// @ts-check
/**
 * What is written on the keys that press the panel's buttons: they go by their place on the keyboard.
 */

/**
 * What is written on the keys of this keyboard, by code, where the browser tells: else they are
 * thought to be those of an English one.
 *
 * @type {Map<string, string>}
 */
let written = new Map();

/** Find out what is written on the keys; `changed` is called once it is known. @param {() => void} changed */
export async function learnKeys(changed) {
  try {
    // Chromium, on secure pages.
    written = (await /** @type {any} */ (navigator).keyboard?.getLayoutMap()) ?? written;
    changed();
  } catch {
    // A frame without the permission.
  }
}

/** Return what is written on a key, in capitals. @param {string} code */
export function capOf(code) {
  return code.startsWith("Key") ? (written.get(code) ?? code.replace("Key", "")).toUpperCase() : code;
}
