// @ts-check
/** All settings, and the rows of those that need special inputs: tables, colours, the wiring, and choices shown as cards. */

import { many, say, sayings } from "../i18n/language.js";
import { request } from "../net/request.js";
import { TextField, valueOf } from "../ui/forms.js";
import { useStore } from "../ui/store.js";
import { html, useEffect, useRef, useState } from "../vendor/preact.js";
import { facts } from "../ui/about.js";
import { CardChoice, Field, TextBox, labelOf } from "./controls.js";

/** @typedef {import("./draft.js").Draft} Draft */
export const SIDES = ["1", "2", "3"];
/** Labels of the values of `wiring.per`. */
const WIRED = sayings({
  "hole-and-lane": "One light a hole in each lane",
  hole: "One light a hole, which the lanes share",
});
const COLOUR = /^#[0-9a-f]{6}$/i;
const NAMED = /** @type {const} */ (["one", "two", "three"]);

/** A row for a setting, or for each entry of a table. @param {{draft: Draft, setting: Api.Setting}} props */
export function Fields({ draft, setting }) {
  const { key, help, kind, takes } = setting;
  const noted = "board" in draft.changes ? key === "board" : key === "preset";
  const fit = noted && html`<${Fit} draft=${draft} />`;
  if (setting.other) return html`<${Cards} draft=${draft} name=${key} legend=${labelOf(setting)} />${fit}`;
  switch (key) {
    case "names":
      return SIDES.map((side) => html`
        <${Field} ...${{ draft, setting }} name="names.${side}" label=${say("Side {side}", { side })} help=${say("For example, Anna and Bert.")} />`);
    case "lights.colours":
      return html`${SIDES.map((side) => html`<${ColourField} ...${{ draft, setting, side }} />`)}<${Warnings} draft=${draft} />`;
    case "panel.pins":
    case "panel.places":
      return html`<${Group} setting=${setting}>${Object.keys(setting.default).map((button) => html`
        <${Field} ...${{ draft, setting }} name="${key}.${button}" label=${buttonName(button)} help="" />`)}</${Group}>`;
    case "panel.actions":
      return html`<${Group} setting=${setting}><${Actions} ...${{ draft, setting }} /></${Group}>`;
    case "wiring":
      return html`<${Wiring} ...${{ draft, setting }} />`;
    case "preset":
      return html`<${Field} draft=${draft} name=${key} />${fit}`;
  }
  const accepted = key.startsWith("rules.") && kind === "text" ? say("Takes {takes}.", { takes }) : "";
  return html`<${Field} draft=${draft} name=${key} help="${help} ${accepted}" />`;
}

/** @param {{setting: Api.Setting, children: any}} props */
function Group({ setting, children }) {
  return html`
    <fieldset class="group">
      <legend>${labelOf(setting)}</legend><p class="help">${setting.help}</p>
      ${children}
    </fieldset>`;
}

/** @param {{draft: Draft, setting: Api.Setting}} props */
function Actions({ draft, setting }) {
  const buttons = Object.keys(draft.setting("panel.pins")?.default ?? {});
  const options = { "": say("What it is called"), ...Object.fromEntries(buttons.map((each) => [each, buttonName(each)])) };
  return buttons.map((button) => html`
    <${Field} ...${{ draft, setting, options }} name="${setting.key}.${button}" label=${buttonName(button)} help="" />`);
}

/** @param {{draft: Draft, setting: Api.Setting, side: string}} props */
export function ColourField({ draft, setting, side }) {
  return html`<${Field} ...${{ draft, setting }} name="lights.colours.${side}" input=${Colour}
    label=${say("Colour of side {side}", { side })} help="" />`;
}

/** @param {import("./controls.js").Input} props */
function Colour({ name, value, attributes, write, done }) {
  const shown = COLOUR.test(value) ? value : facts.teams[name.slice(-1)]?.colour ?? "#ffffff";
  return html`<input type="color" value=${shown} ...${attributes} onChange=${done}
    onInput=${(/** @type {Event} */ event) => write(valueOf(event))} />`;
}

/** Warnings about chosen colours that look alike to some people. @param {{draft: Draft}} props */
export function Warnings({ draft }) {
  const [lines, setLines] = useState(draft.told.warnings);
  const first = useRef(true);
  const colours = SIDES.map((side) => draft.value(`lights.colours.${side}`) ?? "");
  useEffect(() => {
    if (first.current) return void (first.current = false);
    let current = true;
    const query = new URLSearchParams(colours.map((colour, n) => [NAMED[n], colour]).filter(([, colour]) => colour));
    request(`/api/look-alikes?${query}`).then(({ value, refusal }) => {
      if (!refusal && current) setLines(value); // otherwise the next change asks again
    });
    return () => void (current = false);
  }, colours);
  return html`
    <ul class="warnings" aria-live="polite" aria-label=${say("Colours that look alike")}>
      ${lines.map((line) => html`<li>${line}</li>`)}
    </ul>`;
}

/** Rows of the wiring, with a link to the calibration. @param {{draft: Draft, setting: Api.Setting}} props */
function Wiring({ draft, setting }) {
  const wired = draft.part("wiring", "value");
  const chains = wired.chains?.length ?? 0;
  const found = many(chains, "The strips lie in {n} chain, as it was found.", "The strips lie in {n} chains, as they were found.");
  const lies = chains ? found : say("The strips lie as the building guide says.");
  const forgotten = draft.changes["wiring.per"] === null;
  const faults = draft.faultsOf("wiring").join(" ");
  const forget = () => Object.keys(setting.value).forEach((key) => draft.set(`wiring.${key}`, null));
  return html`
    <${Field} ...${{ draft, setting }} name="wiring.per" label=${say("How many lights")} options=${WIRED} help="" />
    <p class="wired">${forgotten ? say("All of it will be forgotten.") : lies}</p>
    <a class="plain" href="#lights">${say("Find them by tapping")}</a>
    <button class="plain" type="button" hidden=${!Object.keys(wired).length} onClick=${forget}>${say("Forget it all")}</button>
    <p class="fault" role="alert">${faults}</p>`;
}

/**
 * Choice from known values, one card each, with a text input for any other value.
 *
 * @param {{draft: Draft, name: string, legend: string}} props
 */
export function Cards({ draft, name: key, legend }) {
  const { other, suggested, words } = /** @type {Api.Setting} */ (draft.setting(key));
  const values = key === "board" ? suggested : Object.keys(words);
  const value = draft.value(key);
  const [open, setOpen] = useState(!values.includes(value));
  const options = [...values.map((each) => [each, words[each] ?? each]), ["", `${other} …`]];
  const choose = (/** @type {string} */ each) => {
    setOpen(!each);
    if (each) draft.set(key, each);
  };
  return html`
    <${CardChoice} name=${key} value=${open ? "" : value} options=${options} ...${{ legend, choose }} />
    ${open ? html`<${Field} draft=${draft} name=${key} input=${TextBox} />` : html`<p class="fault" role="alert">${draft.faultsOf(key).join(" ")}</p>`}`;
}

/** Notice if the preset was made for another board, with buttons for presets that fit. @param {{draft: Draft}} props */
export function Fit({ draft }) {
  const { presets } = draft.told;
  const board = draft.value("board");
  const preset = presets[draft.value("preset")];
  const [boards, sets] = ["board", "preset"].map((key) => draft.setting(key));
  if (!preset || preset.board === board || !boards?.suggested.includes(board)) return null;
  const fitting = Object.keys(presets).filter((name) => presets[name].board === board);
  return html`
    <div class="fit" role="status">
      <p>${say("These rules are made for another board: {board}.", { board: boards.words[preset.board] ?? preset.board })}</p>
      <div class="buttons-row">${fitting.map((name) => html`
        <button class="plain" type="button" onClick=${() => draft.set("preset", name)}>
          ${say("Play by {rules}", { rules: sets?.words[name] ?? name })}</button>`)}</div>
    </div>`;
}

/** Return the label of a button such as `1.plus_one`. @param {string} button */
function buttonName(button) {
  const { side, label: words } = facts.panel[button] ?? { side: 0, label: button };
  return side ? say("Side {side}, {words}", { side, words }) : words;
}

/** All settings, grouped by their table in the file, with a search. @param {{draft: Draft}} props */
export function AllSettings({ draft }) {
  useStore(draft);
  const [words, setWords] = useState("");
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const found = draft.told.settings.filter((setting) => wanted.every((word) => textOf(setting).includes(word)));
  const groups = [...new Set(draft.told.settings.map(({ group }) => group))];
  return html`
    <${TextField} name="find" label=${say("Find a setting")} type="search" value=${words} set=${setWords} />
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
