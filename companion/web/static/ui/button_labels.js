// @ts-check
/**
 * The labels of buttons, and the name of a score pad.
 */

import { say, sayings } from "../i18n/language.js";

/** The label of each button. @type {Record<string, string>} */
export const LABELS = sayings({
  plus_one: "+1", plus_five: "+5", enter: "Enter", undo: "Undo", deal: "Deal", mode: "Mode",
});

/** The name of a side's score pad. @param {string} name of the side */
export function padWords(name) {
  return say("{name}'s score pad", { name });
}
