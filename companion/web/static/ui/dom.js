// @ts-check
/**
 * Helpers that make elements, write text into them and bring lists of them up to date.
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

/**
 * Make the children of an element one a key, in this order. Children that exist are kept, so that
 * neither a fade nor a screen reader starts again.
 *
 * @param {Element} place
 * @param {string[]} keys
 * @param {(key: string) => HTMLElement} draw
 * @returns {HTMLElement[]} the children
 */
export function reconcile(place, keys, draw) {
  const there = /** @type {HTMLElement[]} */ ([...place.children]);
  const wanted = keys.map((key) => {
    const at = there.findIndex((element) => element.dataset.key === key);
    if (at >= 0) return there.splice(at, 1)[0];
    const element = draw(key);
    element.dataset.key = key;
    return element;
  });
  for (const element of there) element.remove();
  wanted.forEach((element, at) => {
    if (place.children[at] !== element) place.insertBefore(element, place.children[at] ?? null);
  });
  return wanted;
}
