// @ts-check
/** Fields with their labels, and hooks that fetch a value and send a form. */

import { say } from "../i18n/language.js";
import { deliver, request } from "../net/request.js";
import { html, useEffect, useRef, useState } from "../vendor/preact.js";
import { facts } from "./about.js";

const YEAR_S = 365 * 24 * 3600;

/** @typedef {{value: string, label: string, colour?: string}} Option */

/**
 * Return the function `send` and its state. `send` repeats a request until the table has answered, and ignores a
 * second tap meanwhile. `sends` is true during a request; `refusal` is why it failed or is late, or "".
 *
 * @param {() => Promise<unknown>} [settle] awaited before the next request can be sent
 */
export function useSending(settle) {
  const [refusal, setRefusal] = useState("");
  const [sends, setSends] = useState(false);
  const isUnderWay = useRef(false);
  /**
   * Return the answer of the table, or null if it refuses or another request is under way.
   *
   * @template {string} Path
   * @param {Path} path
   * @param {Api.Request<Path>} value
   */
  const send = async (path, value) => {
    if (isUnderWay.current) return null;
    isUnderWay.current = true;
    setSends(true);
    try {
      const answer = await deliver(path, value, setRefusal);
      setRefusal(answer.refusal);
      await settle?.();
      return answer.refusal ? null : answer;
    } finally {
      isUnderWay.current = false;
      setSends(false);
    }
  };
  return { send, sends, refusal, setRefusal };
}

/**
 * Fetch a value at the first use, and again after each change of the arguments. Return the value, null until the table
 * has answered, and the reason of a refusal. Answers to earlier requests are ignored.
 *
 * @param {string} path "" for no request
 * @param {unknown[]} changes further values after whose change the path is fetched again
 * @returns {{value: any, refusal: string}}
 */
export function useFetched(path, ...changes) {
  const [{ of, value, refusal }, setAnswer] = useState({ of: "", value: null, refusal: "" });
  useEffect(() => {
    let isCurrent = true;
    if (path) request(path).then((answer) => isCurrent && setAnswer({ ...answer, of: path }));
    return () => void (isCurrent = false);
  }, [path, ...changes]);
  if (of !== path) return { value: null, refusal: "" };
  return { value: refusal ? null : value, refusal };
}

/** Return true for a number of points that a count can have. @param {string} text */
export function isCount(text) {
  const points = Number(text);
  return Number.isInteger(points) && points >= 1 && points <= facts.most_points;
}

/** Return the value of the input of an event. @param {Event} event */
export function valueOf(event) {
  return /** @type {HTMLInputElement | HTMLSelectElement} */ (event.target).value;
}

/**
 * @param {{name: string, legend: string, options: Option[], value: string | string[] | null,
 *   set: (value: any) => void, choices?: Record<string, boolean>}} props `value`: chosen option, or a list if
 *   several can be chosen; `choices`: for a computer's side, true if it takes the points
 */
export function Choice({ name, legend, options, value, set, choices = {} }) {
  const many = Array.isArray(value);
  const isChosen = (/** @type {string} */ each) => (many ? value.includes(each) : value === each);
  const choose = (/** @type {string} */ each) => {
    set(!many ? each : isChosen(each) ? value.filter((other) => other !== each) : [...value, each]);
  };
  return html`
    <fieldset class="choice">
      <legend>${legend}</legend>
      ${options.map(({ value: each, label, colour }) => html`
        <label class="option" key=${each} style=${{ "--side": colour }}>
          <input type=${many ? "checkbox" : "radio"} name=${name} value=${each} required=${!many}
            checked=${isChosen(each)} disabled=${each in choices} onChange=${() => choose(each)} />
          <span>${each in choices ? choiceWords(label, choices[each]) : label}</span>
        </label>`)}
    </fieldset>`;
}

/** @param {string} name of a side that computers play @param {boolean} takes */
function choiceWords(name, takes) {
  if (takes) return say("{name}: the computer takes them", { name });
  return say("{name}: the computer does better without them", { name });
}

/**
 * @param {{label: string, value: string, set: (value: string) => void, name?: string, style?: object} & Record<string, any>}
 *   props `name`, `style`: CSS classes and style of the label; others: attributes of the input
 */
export function TextField({ label, value, set, name = "field", style, ...attributes }) {
  return html`
    <label class=${name} style=${style}>${label}${" "}
      <input autocomplete="off" value=${value} onInput=${(/** @type {Event} */ event) => set(valueOf(event))} ...${attributes} />
    </label>`;
}

/** @param {{legend: string, value: string, disabled?: boolean, set: (value: string) => void}} props */
export function Points({ legend, ...props }) {
  return html`<${TextField} name="number" label=${legend} type="number" min="1" max=${facts.most_points} required inputMode="numeric" ...${props} />`;
}

/** @param {{words: string, on: boolean, set: (on: boolean) => void, id?: string}} props */
export function Switch({ words, on, set, id }) {
  return html`
    <label class="switch">
      <input id=${id} type="checkbox" role="switch" checked=${on} onChange=${(/** @type {any} */ event) => set(event.target.checked)} />
      ${" "}${words}
    </label>`;
}

/**
 * @param {{label: string, value: unknown, set: (value: string) => void, options: [unknown, unknown, string?][], name?: string}
 *   & Record<string, any>} props `options`: each value with its words, and their language if it is not the page's;
 *   `name`: CSS classes of the label; others: attributes of the list
 */
export function Select({ label, value, set, options, name, ...attributes }) {
  return html`
    <label class=${name}>${label}${" "}
      <select value=${value} onChange=${(/** @type {Event} */ event) => set(valueOf(event))} ...${attributes}>
        ${options.map(([each, words, lang]) => html`<option value=${each} lang=${lang}>${words}</option>`)}
      </select>
    </label>`;
}

/** Choice of this device's language. @param {{about: {languages: Record<string, string>, language: string}}} props `languages`: native names by code */
export function LanguageChoice({ about: { languages, language } }) {
  const options = Object.entries(languages).map(([code, name]) => [code, name, code]);
  return html`<${Select} name="switch" label=${say("Language")} translate="no" value=${language} set=${chooseLanguage} options=${options} />`;
}

/** @param {string} code */
function chooseLanguage(code) {
  document.cookie = `cribwars-language=${code}; path=/; max-age=${YEAR_S}; SameSite=Lax`;
  location.reload();
}
