// @ts-check
/** All settings, grouped by their table in the file, with a search. */

import { many, say } from "../i18n/language.js";
import { useStore } from "../ui/store.js";
import { html, useState } from "../vendor/preact.js";
import { labelOf } from "./controls.js";
import { Fields, SIDES } from "./fields.js";

/** @typedef {import("./draft.js").Draft} Draft */
/** @param {{draft: Draft}} props */
export function AllSettings({ draft }) {
  useStore(draft);
  const [words, setWords] = useState("");
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const found = draft.told.settings.filter((setting) => wanted.every((word) => textOf(setting).includes(word)));
  const groups = [...new Set(draft.told.settings.map(({ group }) => group))];
  const input = (/** @type {Event} */ event) => setWords(/** @type {HTMLInputElement} */ (event.target).value);
  return html`
    <label class="find">${say("Find a setting")}
      <input type="search" autocomplete="off" value=${words} onInput=${input} /></label>
    <p class="found" role="status">${wanted.length > 0 && foundWords(found.length)}</p>
    ${groups.map((name) => html`
      <${Table} key=${name} draft=${draft} name=${name} searched=${wanted.length > 0}
        settings=${found.filter(({ group }) => group === name)} />`)}`;
}

/** @param {{draft: Draft, name: string, searched: boolean, settings: Api.Setting[]}} props */
function Table({ draft, name, searched, settings }) {
  const [open, setOpen] = useState(false);
  const faulty = settings.some(({ key }) => draft.faultsOf(key).length);
  const toggle = (/** @type {Event} */ event) => setOpen(/** @type {HTMLDetailsElement} */ (event.target).open);
  return html`
    <details class="table" open=${open || searched || faulty} hidden=${!settings.length} onToggle=${searched ? null : toggle}>
      <summary>${name}</summary>
      ${settings.map((setting) => html`<${Fields} key=${setting.key} ...${{ draft, setting }} />`)}
    </details>`;
}

/** Return the text in which the search looks for a setting. @param {Api.Setting} setting */
function textOf(setting) {
  const { default: usual, help, key, words } = setting;
  const sides = ["names", "lights.colours"].includes(key) ? SIDES.map((side) => say("Side {side}", { side })) : [];
  const names = key.startsWith("panel.") && usual && typeof usual === "object" ? Object.keys(usual) : [];
  return [key, labelOf(setting), help, ...sides, ...names, ...Object.values(words)].join(" ").toLowerCase();
}

/** @param {number} count */
function foundWords(count) {
  if (!count) return say("No setting has these words");
  return many(count, "{n} setting has these words", "{n} settings have these words");
}
