// @ts-check
/**
 * Elements made, and text put into them.
 */

/**
 * @param {string} tag
 * @param {string} name its classes
 * @param {string} text
 */
export function make(tag, name, text = "") {
  const element = document.createElement(tag);
  if (name) element.className = name;
  element.textContent = text;
  return element;
}

/**
 * Put text into an element, if it is new: a screen reader speaks what is written again.
 *
 * @param {ParentNode} within
 * @param {string} where
 * @param {string} text
 */
export function write(within, where, text) {
  const element = within.querySelector(where);
  if (element && element.textContent !== text) element.textContent = text;
}
