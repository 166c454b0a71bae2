// @ts-check
/**
 * Forms of the referee, made from plain lists: who did it, who takes it, how many.
 */

import { make } from "./dom.js";

/** @typedef {{value: string, label: string, colour?: string}} Option */
/**
 * Group of options. `many`: checkboxes, all checked at first, instead of radio buttons; `first`: the
 * value chosen at first; `other`: the group whose chosen side is not offered here.
 *
 * @typedef {{name: string, legend: string, options: Option[], many?: boolean, first?: string,
 *   other?: string}} Group
 */

/** The greatest count. */
const MOST_POINTS = 29;

/** @param {Group} group */
export function choice({ name, legend, options, many = false, first, other }) {
  const field = /** @type {HTMLFieldSetElement} */ (make("fieldset", "choice"));
  field.append(make("legend", "", legend));
  for (const { value, label, colour } of options) {
    const input = make("input", "");
    Object.assign(input, { type: many ? "checkbox" : "radio", name, value, required: !many });
    Object.assign(input, { defaultChecked: many || value === first });
    const row = make("label", "option");
    row.append(input, make("span", "", label));
    if (colour) row.style.setProperty("--team", colour);
    field.append(row);
  }
  if (other) {
    field.dataset.other = other;
    field.hidden = field.disabled = true;
  }
  return field;
}

/**
 * @param {string} name
 * @param {string} legend
 */
export function number(name, legend) {
  const row = make("label", "number", `${legend} `);
  const input = make("input", "");
  Object.assign(input, { type: "number", name, min: 1, max: MOST_POINTS, required: true });
  Object.assign(input, { inputMode: "numeric", autocomplete: "off" });
  row.append(input);
  return row;
}

/**
 * Return a field for a hole: a number, or one of a side path such as trap-130:3.
 *
 * @param {string} name
 * @param {string} legend
 */
export function holeField(name, legend) {
  const row = make("label", "number", `${legend} `);
  const input = make("input", "");
  Object.assign(input, { type: "text", name, required: true, autocomplete: "off", size: 14 });
  Object.assign(input, { pattern: "[0-9]+|[a-z][a-z0-9\\-]*:[0-9]+", placeholder: "0" });
  row.append(input);
  return row;
}

/**
 * Offer the options that another group's choice leaves; a single radio button left is chosen.
 *
 * @param {HTMLFormElement} form
 */
export function offerOthers(form) {
  for (const field of form.querySelectorAll("fieldset")) {
    const chosen = field.dataset.other && new FormData(form).get(field.dataset.other);
    if (!chosen) continue;
    field.hidden = field.disabled = false;
    const inputs = [...field.querySelectorAll("input")];
    for (const input of inputs) offer(input, input.value !== chosen);
    const left = inputs.filter((input) => !input.disabled);
    if (left.length === 1 && left[0].type === "radio") left[0].checked = true;
  }
}

/**
 * @param {HTMLInputElement} input
 * @param {boolean} there
 */
function offer(input, there) {
  input.disabled = !there;
  /** @type {HTMLElement} */ (input.parentElement).hidden = !there;
  if (!there && input.type === "radio") input.checked = false;
}
