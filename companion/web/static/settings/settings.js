// @ts-check
/**
 * All settings by table, each with a fitting input, and a search.
 */

import { field, select } from "../ui/inputs.js";
import { TABLES, buttonName, nameOf, tableOf } from "../ui/setting_labels.js";
import { many, say, sayings } from "../i18n/language.js";
import { make } from "../ui/dom.js";

/** @typedef {import("./draft.js").Draft} Draft */
/** @typedef {import("./draft.js").Setting} Setting */

export const SIDES = ["1", "2", "3"];
const COLOUR = /^#[0-9a-f]{6}$/i;

/**
 * @param {HTMLElement} place that is filled
 * @param {Draft} draft
 */
export function showSettings(place, draft) {
  const search = make("label", "find", say("Find a setting"));
  const box = /** @type {HTMLInputElement} */ (make("input", ""));
  Object.assign(box, { type: "search", autocomplete: "off" });
  search.append(box);
  const found = make("p", "found");
  found.setAttribute("role", "status");
  const tables = Object.keys(TABLES).map((table) => section(draft, table));
  place.replaceChildren(search, found, ...tables);
  box.addEventListener("input", () => (found.textContent = filter(tables, box.value)));
}

/**
 * @param {Draft} draft
 * @param {string} table
 */
function section(draft, table) {
  const part = make("details", "table");
  const rows = draft.told.settings.filter(({ key }) => tableOf(key) === table);
  part.append(make("summary", "", TABLES[table]), ...rows.flatMap((each) => fields(draft, each)));
  draft.watchers.push(() => {
    if (part.querySelector("[aria-invalid=true]")) /** @type {HTMLDetailsElement} */ (part).open = true;
  });
  return /** @type {HTMLDetailsElement} */ (part);
}

/**
 * The fields of a setting: one, or one a name of a table.
 *
 * @param {Draft} draft
 * @param {Setting} setting
 * @returns {HTMLElement[]}
 */
export function fields(draft, setting) {
  const { key, help, takes } = setting;
  switch (key) {
    case "names":
      return SIDES.map((side) => field(draft, `names.${side}`, { setting, label: say("Side {side}", { side }), help }));
    case "lights.colours":
      return [...SIDES.map((side) => colourField(draft, setting, side)), warnings(draft)];
    case "panel.pins":
    case "panel.places":
      return heading(nameOf(key), Object.keys(setting.default).map((button) =>
        field(draft, `${key}.${button}`, { setting, label: buttonName(button), help: "" }),
      ), help);
    case "panel.actions":
      return heading(nameOf(key), actions(draft, setting), help);
    case "wiring":
      return wiring(draft, setting);
    default:
      return [field(draft, key, key.startsWith("rules.") ? { help: say("Takes {takes}.", { takes }) } : {})];
  }
}

/**
 * @param {string} title
 * @param {HTMLElement[]} rows
 * @param {string} help
 */
function heading(title, rows, help) {
  const group = make("fieldset", "group");
  group.append(make("legend", "", title), make("p", "help", help), ...rows);
  return [group];
}

/**
 * @param {Draft} draft
 * @param {Setting} setting
 */
function actions(draft, setting) {
  const buttons = Object.keys(draft.setting("panel.pins")?.default ?? {});
  return buttons.map((button) => {
    const key = `${setting.key}.${button}`;
    const words = { "": say("What it is called"), ...Object.fromEntries(buttons.map((b) => [b, buttonName(b)])) };
    const control = select(["", ...buttons], (value) => draft.set(key, value || null), words);
    const show = control.show;
    control.show = (value) => show(value ?? "");
    return field(draft, key, { setting, label: buttonName(button), help: "", control });
  });
}

/**
 * @param {Draft} draft
 * @param {Setting} setting
 * @param {string} side
 */
export function colourField(draft, setting, side) {
  const key = `lights.colours.${side}`;
  const input = /** @type {HTMLInputElement} */ (make("input", ""));
  input.type = "color";
  input.addEventListener("input", () => draft.set(key, input.value));
  const usual = teamColours[side] ?? "#ffffff";
  const show = (/** @type {any} */ value) => void (input.value = COLOUR.test(value) ? value : usual);
  return field(draft, key, { setting, label: say("Colour of side {side}", { side }), help: "", control: { input, show } });
}

/** The sides' colours as they shine now. @type {Record<string, string>} */
export const teamColours = {};

const NAMED = /** @type {const} */ (["one", "two", "three"]);

/**
 * Return the list of chosen colours that look alike to some eyes, kept up to date.
 *
 * @param {Draft} draft
 */
export function warnings(draft) {
  const list = make("ul", "warnings");
  list.setAttribute("aria-live", "polite");
  list.setAttribute("aria-label", say("Colours that look alike"));
  let asked = "";
  const show = async () => {
    const query = new URLSearchParams();
    SIDES.forEach((side, n) => {
      const colour = draft.value(`lights.colours.${side}`);
      if (colour) query.set(NAMED[n], colour);
    });
    if (asked === `${query}`) return;
    const now = (asked = `${query}`);
    const answer = await fetch(`/api/look-alikes?${query}`).catch(() => null);
    if (!answer?.ok || asked !== now) return;
    const told = /** @type {string[]} */ (await answer.json());
    list.replaceChildren(...told.map((line) => make("li", "", line)));
  };
  list.replaceChildren(...draft.told.warnings.map((line) => make("li", "", line)));
  asked = "as told";
  draft.watchers.push(() => {
    if (asked !== "as told" || Object.keys(draft.changes).some((key) => key.startsWith("lights.colours"))) show();
  });
  return list;
}

/**
 * Return the summary of the wiring, with a link to calibration.
 *
 * @param {Draft} draft
 * @param {Setting} setting
 */
function wiring(draft, setting) {
  const told = make("p", "wired");
  const link = make("a", "plain", say("Find out by tapping"));
  link.setAttribute("href", "#lights");
  const usual = /** @type {HTMLButtonElement} */ (make("button", "plain", say("Forget it all")));
  usual.type = "button";
  usual.addEventListener("click", () => {
    for (const key of Object.keys(setting.value)) draft.set(`wiring.${key}`, null);
  });
  const fault = make("p", "fault");
  fault.setAttribute("role", "alert");
  const show = () => {
    const wired = draft.ofFile("wiring");
    const forgotten = "wiring.per" in draft.changes && draft.changes["wiring.per"] === null;
    const chains = wired.chains?.length ?? 0;
    const found = many(chains, "The strips lie in {n} chain, as it was found.", "The strips lie in {n} chains, as they were found.");
    const lies = chains ? found : say("The strips lie as the building guide says.");
    told.textContent = forgotten ? say("All of it will be forgotten.") : lies;
    fault.textContent = draft.faultsOf("wiring").join(" ");
    usual.hidden = Object.keys(wired).length === 0;
  };
  draft.watchers.push(show);
  show();
  return [perField(draft), told, link, usual, fault];
}

const PER = sayings({
  "hole-and-lane": "One light a hole in each lane",
  hole: "One light a hole, which the lanes share",
});

/** @param {Draft} draft */
function perField(draft) {
  const setting = /** @type {Setting} */ (draft.setting("wiring"));
  const control = select(Object.keys(PER), (value) => draft.set("wiring.per", value), PER);
  const show = control.show;
  control.show = (value) => show(value ?? "hole-and-lane");
  return field(draft, "wiring.per", { setting, label: say("How many lights"), help: "", control });
}

/**
 * Show only the settings that contain these words. Return their number in words.
 *
 * @param {HTMLDetailsElement[]} tables
 * @param {string} words
 */
function filter(tables, words) {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  for (const table of tables) {
    let there = 0;
    for (const row of /** @type {NodeListOf<HTMLElement>} */ (table.querySelectorAll(".setting"))) {
      const text = `${row.dataset.key} ${row.textContent}`.toLowerCase();
      row.hidden = !wanted.every((word) => text.includes(word));
      there += row.hidden ? 0 : 1;
    }
    table.hidden = there === 0;
    table.open = wanted.length > 0 && there > 0;
    count += there;
  }
  if (!wanted.length) return "";
  if (!count) return say("No setting has these words");
  return many(count, "{n} setting has these words", "{n} settings have these words");
}
