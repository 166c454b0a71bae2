// @ts-check
/**
 * Language of the pages. The modules contain English phrases; the table sends their translations into the
 * language of this device (`GET /api/words`). The language is known only after `about` has been fetched
 * (ui/about.js), when the modules are already loaded, so each phrase is translated where it is used. No shared
 * module awaits the language at its top level, because Safari does not make the importing modules wait.
 *
 * Phrases and their values are plain text, which callers show as `textContent`.
 *
 * @typedef {import("../net/request.js").Answer} Answer
 */

const ENGLISH = "en";
/** A lower number is its own index in `words.forms`. A higher one has the form of 100 plus its last two digits. */
const NUMBERS = 200;
/** Attributes that the user reads or hears. */
const SPOKEN = ["aria-label", "placeholder", "alt", "title"];

/** The translations of each phrase, and the index of the form for each number. @type {Api.PageWords} */
let words = { texts: {}, forms: [] };
let language = ENGLISH;
/** Language of the last call of `setLanguage`. @type {string | null} */
let called = null;
/**
 * Texts of the document as it was loaded. `read` and `write` access the place of a text; `shown` is its last text.
 *
 * @type {{text: string, shown: string, read: () => string | null, write: (text: string) => void}[]}
 */
let printed = [];
/** @type {Promise<void>} */
let ready = Promise.resolve();

/**
 * Set the language and translate the document. The caller redraws the components that use `say`. If the words
 * cannot be fetched, the page keeps its language. The first language is English.
 *
 * @param {string} wanted
 * @param {() => Promise<Answer>} fetchWords fetches the words of that language
 */
export function setLanguage(wanted, fetchWords) {
  if (called !== wanted) {
    if (called === null) printed = [...textsOf(document.documentElement)];
    called = wanted;
    ready = learn(wanted, fetchWords);
  }
  return ready;
}

/** @param {string} wanted @param {() => Promise<Answer>} fetchWords */
async function learn(wanted, fetchWords) {
  const { value, refusal } = wanted === ENGLISH ? { value: { texts: {}, forms: [] }, refusal: "" } : await fetchWords();
  if (refusal || called !== wanted) return;
  words = value;
  language = document.documentElement.lang = wanted;
  for (const each of printed) {
    if (each.read() !== each.shown) continue; // a component has replaced the text
    each.shown = translated(each.text);
    each.write(each.shown);
  }
}

/**
 * Return a phrase in the language of the page.
 *
 * @param {string} text in English
 * @param {Record<string, unknown>} [values] values for the places in braces
 */
export function say(text, values = {}) {
  return fill(formsOf(text)?.[0] ?? text, values);
}

/** @param {string} text in English */
function formsOf(text) {
  return Object.hasOwn(words.texts, text) ? words.texts[text] : null;
}

/**
 * Return a phrase with the values filled into its places. The phrase is already translated.
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

/** Return the locale of dates and numbers. For English return undefined, which stands for the browser's locale. */
export function locale() {
  return language === ENGLISH ? undefined : language;
}

/** @param {number} share between 0 and 1 */
export function percent(share) {
  return share.toLocaleString(locale(), { style: "percent", maximumFractionDigits: 0 });
}

/**
 * Return the shares of a whole as texts in percent, by name. They are rounded so that they add up to 100 %.
 *
 * @param {Record<string, number>} shares that add up to 1
 */
export function percents(shares) {
  const parts = Object.entries(shares).map(([name, share]) => ({ name, whole: Math.floor(100 * share), rest: (100 * share) % 1 }));
  const missing = 100 - parts.reduce((sum, { whole }) => sum + whole, 0);
  parts.sort((one, other) => other.rest - one.rest);
  return Object.fromEntries(parts.map(({ name, whole }, at) => [name, percent((whole + Number(at < missing)) / 100)]));
}

/** Yield the texts of an element and of its `SPOKEN` attributes. @param {Element} root */
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

/** Translate a text. Line breaks in it do not matter; the white space around it is kept. @param {string} text */
function translated(text) {
  const [, before, phrase, after] = /** @type {string[]} */ (/^(\s*)(.*?)(\s*)$/s.exec(text));
  const known = phrase.replace(/\s+/g, " ");
  return before + (formsOf(known)?.[0] ?? phrase) + after;
}
