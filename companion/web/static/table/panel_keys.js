// @ts-check
/**
 * The keys on a keyboard that press the panel's buttons, by their place: the upper, middle and lower row
 * of letters are the sides, whatever is written on them.
 */

/** The actions of a side's buttons, in the order of the keys. */
export const ACTIONS = ["plus_one", "plus_five", "enter", "undo"];
/** @type {Record<string, string>} */
const SIDE_KEYS = { 1: "QWER", 2: "ASDF", 3: "ZXCV" };
/** The codes of the keys of the table's buttons. @type {Record<string, string>} */
export const TABLE_KEYS = { deal: "Space", mode: "KeyM" };

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

/** Return the code of the key that presses a button. @param {string} button */
export function codeOf(button) {
  const [action, team] = button.split(".").reverse();
  return team ? `Key${SIDE_KEYS[team][ACTIONS.indexOf(action)]}` : TABLE_KEYS[action];
}

/** Return what is written on the key that presses a button, in capitals. @param {string} button */
export function capOf(button) {
  const code = codeOf(button);
  return code === "Space" ? code : (written.get(code) ?? code.replace("Key", "")).toUpperCase();
}
