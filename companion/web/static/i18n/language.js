// @ts-check
/**
 * The language of the pages: English, which the modules are written in, or that of this device for
 * which the table has words (`GET /api/words`). It is known once `about` is fetched (about.js),
 * after the modules were loaded, so a phrase is translated where it is used. No shared module waits for
 * the language at its top level, since Safari does not make the importing modules wait for it.
 *
 * Phrases and their values are text, which callers show as `textContent`.
 */

import { request } from "../net/request.js";

const ENGLISH = "en";
/** Smaller numbers have a form in the table; others have the form of their last two digits. */
const NUMBERS = 200;
/** Attributes that are read or spoken. */
const SPOKEN = ["aria-label", "placeholder", "alt", "title"];

/** The translations of each phrase, and the index of the form for each number. @type {Api.PageWords} */
let words = { texts: {}, forms: [] };
let language = ENGLISH;
/** Language that the page was last given. @type {string | null} */
let called = null;
/**
 * Texts of the document as it was loaded: their ways to be read and written, and what was written last.
 *
 * @type {{text: string, shown: string, read: () => string | null, write: (text: string) => void}[]}
 */
let printed = [];
/** @type {Promise<void>} */
let ready = Promise.resolve();

/**
 * Set the language and translate the document; the caller redraws what uses `say`. If the words cannot
 * be fetched, the page keeps its language, at first English.
 *
 * @param {string} wanted
 */
export function setLanguage(wanted) {
  if (called !== wanted) {
    if (called === null) printed = [...textsOf(document.documentElement)];
    called = wanted;
    ready = learn(wanted);
  }
  return ready;
}

/** @param {string} wanted */
async function learn(wanted) {
  const { value, refusal } = wanted === ENGLISH ? { value: { texts: {}, forms: [] }, refusal: "" } : await request("/api/words");
  if (refusal || called !== wanted) return;
  words = value;
  language = document.documentElement.lang = wanted;
  for (const each of printed) {
    if (each.read() !== each.shown) continue; // drawn over since
    each.shown = translated(each.text);
    each.write(each.shown);
  }
}

/**
 * Return a phrase in the language of the page.
 *
 * @param {string} text in English
 * @param {Record<string, unknown>} [values] filled into the places in braces
 */
export function say(text, values = {}) {
  return fill(formsOf(text)?.[0] ?? text, values);
}

/** @param {string} text in English */
function formsOf(text) {
  return Object.hasOwn(words.texts, text) ? words.texts[text] : null;
}

/**
 * Return a phrase with its places filled, which the table has translated.
 *
 * @param {string} phrase
 * @param {Record<string, unknown>} values
 */
export function fill(phrase, values) {
  return phrase.replace(/\{(\w+)\}/g, (place, name) => (Object.hasOwn(values, name) ? `${values[name]}` : place));
}

/**
 * Return the singular or plural of a phrase; the number fills the place {n}.
 *
 * @param {number} n
 * @param {string} one the singular in English
 * @param {string} more the plural in English
 * @param {Record<string, unknown>} [values]
 */
export function many(n, one, more, values) {
  const form = words.forms[n < NUMBERS ? n : 100 + (n % 100)];
  return fill(formsOf(one)?.[form] ?? (n === 1 ? one : more), { n, ...values });
}

/**
 * Return a table of phrases, each of which is translated when it is looked up.
 *
 * @param {Record<string, string>} table
 * @returns {Readonly<Record<string, string>>}
 */
export function sayings(table) {
  const said = Object.entries(table).map(([key, text]) => [key, { get: () => say(text), enumerable: true }]);
  return Object.defineProperties({}, Object.fromEntries(said));
}

/** Return the locale of dates and numbers; in English the browser's own. */
export function locale() {
  return language === ENGLISH ? undefined : language;
}

/** @param {number} share of 1 */
export function percent(share) {
  return share.toLocaleString(locale(), { style: "percent", maximumFractionDigits: 0 });
}

/**
 * Return shares of a whole in percent, by name: rounded so that they add up to 100 %.
 *
 * @param {Record<string, number>} shares of 1
 */
export function percents(shares) {
  const parts = Object.entries(shares).map(([name, share]) => ({ name, whole: Math.floor(100 * share), rest: (100 * share) % 1 }));
  const missing = 100 - parts.reduce((sum, { whole }) => sum + whole, 0);
  parts.sort((one, other) => other.rest - one.rest);
  return Object.fromEntries(parts.map(({ name, whole }, at) => [name, percent((whole + Number(at < missing)) / 100)]));
}

/**
 * Yield the texts of the document and of the attributes that are read or spoken.
 *
 * @param {Element} root
 */
function* textsOf(root) {
  const walk = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const [element, text] = [node instanceof Element ? node : null, node];
    const names = element ? SPOKEN.filter((name) => element.getAttribute(name)) : [];
    for (const name of names) {
      yield found(() => element?.getAttribute(name) ?? null, (words) => element?.setAttribute(name, words));
    }
    if (!element) yield found(() => text.nodeValue, (words) => void (text.nodeValue = words));
  }
}

/** @param {() => string | null} read @param {(text: string) => void} write */
function found(read, write) {
  const text = read() ?? "";
  return { text, shown: text, read, write };
}

/**
 * Return a text translated, whatever its line breaks, with the space around it.
 *
 * @param {string} text
 */
function translated(text) {
  const [, before, phrase, after] = /** @type {string[]} */ (/^(\s*)(.*?)(\s*)$/s.exec(text));
  const known = phrase.replace(/\s+/g, " ");
  return before + (formsOf(known)?.[0] ?? phrase) + after;
}
