// @ts-check
/**
 * Inputs for settings, made from the description of each setting.
 */

import { nameOf } from "./setting_labels.js";
import { say } from "../i18n/language.js";
import { make } from "./dom.js";

/** @typedef {import("../settings/draft.js").Draft} Draft */
/** @typedef {import("../settings/draft.js").Setting} Setting */
/**
 * @typedef {{input: HTMLElement, show: (value: any) => void, words?: Record<string, string>}} Control
 */

let made = 0;

/**
 * Return the row of a setting: input, help, default and faults, kept up to date with the draft.
 *
 * @param {Draft} draft
 * @param {string} key of a setting, or of a name in a table
 * @param {{setting?: Setting, label?: string, help?: string, control?: Control}} [how]
 */
export function field(draft, key, how = {}) {
  const setting = /** @type {Setting} */ (how.setting ?? draft.setting(key));
  const control = how.control ?? controlOf(setting, (value) => draft.set(key, value));
  const row = make("div", "setting");
  row.dataset.key = key;
  const label = /** @type {HTMLLabelElement} */ (make("label", "", how.label ?? nameOf(key)));
  const help = make("p", "help", how.help ?? setting.help);
  const usual = make("p", "usual");
  const reset = /** @type {HTMLButtonElement} */ (make("button", "plain reset", say("Reset")));
  const fault = make("p", "fault");
  control.input.id = label.htmlFor = `field-${(made += 1)}`;
  help.id = `${control.input.id}-help`;
  fault.id = `${control.input.id}-fault`;
  fault.setAttribute("role", "alert");
  control.input.setAttribute("aria-describedby", `${help.id} ${fault.id}`);
  reset.type = "button";
  reset.setAttribute("aria-label", say("Reset {name}", { name: label.textContent }));
  reset.addEventListener("click", () => draft.set(key, null));
  row.append(label, control.input, help, usual, reset, fault);

  const show = () => {
    if (document.activeElement !== control.input) control.show(draft.value(key));
    const faults = draft.faultsOf(key);
    fault.textContent = faults.join(" ");
    control.input.setAttribute("aria-invalid", `${faults.length > 0}`);
    row.classList.toggle("changed", key in draft.changes);
    reset.hidden = draft.changes[key] === null || !(key in draft.changes || draft.isSet(key));
    usual.textContent = usualWords(setting, draft.usual(key), control.words);
  };
  draft.watchers.push(show);
  reset.addEventListener("click", () => control.show(draft.value(key)));
  show();
  return row;
}

/**
 * @param {Setting} setting
 * @param {any} usual
 * @param {Record<string, string>} [words] that stand for values
 */
function usualWords({ origin, kind }, usual, words = {}) {
  const given = origin === "command line" ? say("Given on the command line, which goes before.") : "";
  if (usual === undefined) return given;
  const value = words[usual] ?? worded(kind, usual);
  return `${say("Usually: {value}.", { value })} ${given}`.trim();
}

/**
 * @param {string} kind
 * @param {any} value
 */
function worded(kind, value) {
  if (kind === "switch") return value ? say("on") : say("off");
  if (Array.isArray(value)) return value.join(", ") || say("none");
  return value === "" ? say("left empty") : `${value}`;
}

/**
 * @param {Setting} setting
 * @param {(value: any) => void} changed
 * @returns {Control}
 */
export function controlOf(setting, changed) {
  const kind = setting.kind === "mapping" ? setting.each : setting.kind;
  if (kind === "switch") return toggle(changed);
  if (kind === "choice") return select(setting.choices, changed);
  if (kind === "number") return numberBox(setting, changed);
  return textBox(setting, kind ?? "text", changed);
}

/**
 * @param {(value: any) => void} changed
 * @returns {Control}
 */
function toggle(changed) {
  const input = make("input", "");
  Object.assign(input, { type: "checkbox" });
  input.setAttribute("role", "switch");
  const box = /** @type {HTMLInputElement} */ (input);
  box.addEventListener("change", () => changed(box.checked));
  return { input: box, show: (value) => void (box.checked = value) };
}

/**
 * @param {string[]} choices
 * @param {(value: any) => void} changed
 * @param {Record<string, string>} [words] for choices that are hard to read
 * @returns {Control}
 */
export function select(choices, changed, words = {}) {
  const input = /** @type {HTMLSelectElement} */ (make("select", ""));
  for (const choice of choices) input.append(new Option(words[choice] ?? choice, choice));
  input.addEventListener("change", () => changed(input.value));
  return { input, words, show: (value) => void (input.value = value) };
}

/**
 * @param {Setting} setting
 * @param {(value: any) => void} changed
 * @returns {Control}
 */
function numberBox({ low, high, whole }, changed) {
  const input = /** @type {HTMLInputElement} */ (make("input", ""));
  Object.assign(input, { type: "number", inputMode: whole ? "numeric" : "decimal" });
  Object.assign(input, { min: `${low ?? ""}`, max: `${high ?? ""}`, step: whole ? "1" : "any" });
  input.addEventListener("input", () => changed(asNumber(input.value)));
  return { input, show: (value) => void (input.value = `${value ?? ""}`) };
}

/**
 * @param {Setting} setting
 * @param {string} kind
 * @param {(value: any) => void} changed
 * @returns {Control}
 */
function textBox({ suggested }, kind, changed) {
  const input = /** @type {HTMLInputElement} */ (make("input", ""));
  Object.assign(input, { type: "text", autocomplete: "off", spellcheck: false });
  input.autocapitalize = "off";
  if (suggested.length) input.addEventListener("focus", () => suggest(input, suggested), { once: true });
  input.addEventListener("input", () => changed(READ[kind]?.(input.value) ?? input.value));
  return { input, show: (value) => void (input.value = written(value)) };
}

/**
 * @param {HTMLInputElement} input
 * @param {string[]} suggested
 */
function suggest(input, suggested) {
  const list = make("datalist", "");
  list.id = `${input.id}-list`;
  for (const each of suggested) list.append(new Option(each, each));
  input.after(list);
  input.setAttribute("list", list.id);
}

/** Parsers by kind; text that does not parse is sent as it is, and the server returns the fault. */
/** @type {Record<string, (text: string) => any>} */
const READ = {
  numbers: (text) => items(text).map(asNumber),
  texts: items,
  "number-or-numbers": (text) => {
    const numbers = items(text).map(asNumber);
    return numbers.length === 1 ? numbers[0] : numbers;
  },
};

/** @param {string} text */
function items(text) {
  return text.split(",").map((item) => item.trim()).filter(Boolean);
}

/** @param {string} text */
function asNumber(text) {
  return text.trim() === "" || Number.isNaN(Number(text)) ? text : Number(text);
}

/** @param {any} value */
function written(value) {
  return Array.isArray(value) ? value.join(", ") : `${value ?? ""}`;
}
