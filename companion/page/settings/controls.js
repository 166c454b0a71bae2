// @ts-check
/** Inputs for settings, built from the description of each setting. */

import { say } from "../i18n/language.js";
import { valueOf } from "../ui/forms.js";
import { useStore } from "../ui/store.js";
import { html, useState } from "../vendor/preact.js";

let made = 0;

/** @typedef {import("./draft.js").Draft} Draft */
/**
 * Props of each input. `write` is called with each change of the input, `done` when the user has finished.
 *
 * @typedef {{id: string, name: string, value: any, setting: Api.Setting, attributes: object,
 *   options: Record<string, string>, write: (value: any) => void, done: () => void}} Input
 * @typedef {(props: Input) => object} InputKind
 */

/**
 * Row of a setting: its input, help, default and faults. It is redrawn when the draft changes.
 *
 * @param {{draft: Draft, name: string, setting?: Api.Setting, label?: string, help?: string,
 *   input?: InputKind, options?: Record<string, string>}} props `name`: key of the setting, or of an entry in a
 *   table such as `names.1`; `options`: label of each possible value
 */
export function Field({ draft, name: key, setting: given, label, help, input, options }) {
  useStore(draft);
  const setting = /** @type {Api.Setting} */ (given ?? draft.setting(key));
  const offered = options ?? optionsOf(setting);
  const name = label ?? labelOf(setting);
  const kind = input ?? (offered ? Select : inputOf(setting));
  const faults = draft.faultsOf(key);
  const [id] = useState(() => `field-${(made += 1)}`);
  const changed = key in draft.changes;
  const resettable = draft.changes[key] !== null && (changed || draft.isSet(key));
  const done = () => void (setting.at_once && !draft.told.first_run && draft.saveAtOnce(key));
  const reset = () => {
    draft.set(key, null);
    done();
  };
  const attributes = { id, "aria-describedby": `${id}-help ${id}-fault`, "aria-invalid": `${faults.length > 0}` };
  return html`
    <div class=${changed ? "setting changed" : "setting"} data-key=${key}>
      <label for=${id}>${name}</label>
      <${kind} ...${{ id, setting, attributes, done }} name=${key} options=${offered} value=${draft.value(key)}
        write=${(/** @type {any} */ value) => draft.set(key, value)} />
      <p class="help" id="${id}-help">${help ?? setting.help}</p>
      <p class="usual">${usualWords(setting, draft.usual(key))}</p>
      <button class="plain reset" type="button" hidden=${!resettable}
        aria-label=${say("Reset {name}", { name })} onClick=${reset}>${say("Reset")}</button>
      <p class="fault" id="${id}-fault" role="alert">${faults.join(" ")}</p>
    </div>`;
}

/** @param {Api.Setting} setting @param {any} usual */
function usualWords({ origin, kind, words }, usual) {
  const given = origin === "command line" ? say("Given on the command line, which takes precedence.") : "";
  if (usual === undefined) return given;
  const value = words[usual] ?? worded(kind, usual);
  return `${say("Usually: {value}.", { value })} ${given}`.trim();
}

/** @param {string} kind @param {any} value */
function worded(kind, value) {
  if (kind === "switch") return value ? say("on") : say("off");
  if (Array.isArray(value)) return value.join(", ") || say("none");
  return value === "" ? say("left empty") : `${value}`;
}

/** Return the label of a setting, with its unit. @param {Api.Setting} setting */
export function labelOf({ label, unit }) {
  return unit ? `${label} (${unit})` : label;
}

/**
 * Return the label of each possible value, or null if the values cannot be listed.
 *
 * @param {Api.Setting} setting
 * @returns {Record<string, string> | null}
 */
function optionsOf({ choices, kind, words }) {
  if (kind !== "choice") return Object.keys(words).length ? words : null;
  return Object.fromEntries(choices.map((choice) => [choice, words[choice] ?? choice]));
}

/** @param {Api.Setting} setting @returns {InputKind} */
function inputOf({ key, kind, each }) {
  const type = kind === "mapping" ? each : kind;
  if (type === "switch") return Switch;
  if (key === "lights.brightness") return Slider;
  return type === "number" ? NumberBox : TextBox;
}

/** @param {Input} props */
function Switch({ value, attributes, write, done }) {
  const change = (/** @type {Event} */ event) => {
    write(/** @type {HTMLInputElement} */ (event.target).checked);
    done();
  };
  return html`<input type="checkbox" role="switch" checked=${value} onChange=${change} ...${attributes} />`;
}

/** Choice from a few values. If the current value is not one of them, it is added as an option. @param {Input} props */
function Select({ value, options, attributes, write, done }) {
  const now = `${value ?? ""}`;
  const change = (/** @type {Event} */ event) => {
    const chosen = valueOf(event);
    write(typeof value === "number" ? Number(chosen) : Array.isArray(value) ? items(chosen) : chosen);
    done();
  };
  const all = now in options ? options : { ...options, [now]: now };
  return html`
    <select value=${now} onChange=${change} ...${attributes}>
      ${Object.entries(all).map(([each, label]) => html`<option value=${each}>${label}</option>`)}
    </select>`;
}

/** @param {Input} props */
function Slider({ value, setting, attributes, write, done }) {
  const input = (/** @type {Event} */ event) => write(Number(valueOf(event)));
  return html`<input type="range" min=${setting.low} max=${setting.high} step="0.05" value=${value}
    onInput=${input} onChange=${done} ...${attributes} />`;
}

/** @param {Input} props */
function NumberBox({ value, setting: { low, high, whole }, ...rest }) {
  const limits = { type: "number", inputmode: whole ? "numeric" : "decimal", min: low, max: high, step: whole ? 1 : "any" };
  return html`<${Typed} ...${rest} limits=${limits} value=${value} read=${asNumber} />`;
}

/** @param {Input} props */
export function TextBox({ setting: { kind, each, suggested }, id, ...rest }) {
  const list = suggested.length ? `${id}-list` : undefined;
  const limits = { type: "text", autocomplete: "off", spellcheck: false, autocapitalize: "off", list };
  const read = READ[kind === "mapping" ? each ?? "" : kind] ?? ((text) => text);
  return html`
    <${Typed} ...${rest} limits=${limits} read=${read} />
    ${list && html`<datalist id=${list}>${suggested.map((value) => html`<option value=${value} />`)}</datalist>`}`;
}

/**
 * Text input. It keeps the text as the user typed it, even if the parsed value would be written differently.
 *
 * @param {Omit<Input, "id" | "name" | "setting" | "options"> & {limits: object, read: (text: string) => any}} props
 */
function Typed({ value, attributes, limits, read, write, done }) {
  const [typed, setTyped] = useState(/** @type {string | null} */ (null));
  const input = (/** @type {Event} */ event) => {
    const text = valueOf(event);
    setTyped(text);
    write(read(text));
  };
  return html`<input ...${limits} ...${attributes} value=${typed ?? written(value)} onInput=${input}
    onChange=${done} onBlur=${() => setTyped(null)} />`;
}

/** Parsers by kind. Text that cannot be parsed is sent unchanged, and the server returns the fault. */
/** @type {Record<string, (text: string) => any>} */
const READ = {
  numbers: (text) => items(text).map(asNumber),
  texts: items,
  "number-or-numbers": (text) => {
    const numbers = items(text).map(asNumber);
    return numbers.length === 1 ? numbers[0] : numbers;
  },
};

/**
 * Choice from a few values, one card each.
 *
 * @param {{name: string, legend: string, options: [string, string][], value: string, choose: (value: string) => void}} props
 *   `options`: each value with its words
 */
export function CardChoice({ name, legend, options, value, choose }) {
  return html`
    <fieldset class="cards-asked" data-key=${name}>
      <legend>${legend}</legend>
      ${options.map(([each, words]) => html`
        <label class="option card-asked">
          <input type="radio" name=${name} value=${each} checked=${each === value} onChange=${() => choose(each)} />
          <span>${words}</span>
        </label>`)}
    </fieldset>`;
}

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
