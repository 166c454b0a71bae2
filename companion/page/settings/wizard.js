// @ts-check
/** Questions for a new board, one on each screen. The button Next saves the answer. */

import { say } from "../i18n/language.js";
import { useStore } from "../ui/store.js";
import { html, useEffect, useRef, useState } from "../vendor/preact.js";
import { Calibration, LightTest, WhiteBalance } from "./lights.js";
import { Field } from "./controls.js";
import { Cards, ColourField, Fields, Fit, SIDES, Warnings } from "./fields.js";
import { Health } from "./health.js";

/** @typedef {import("./draft.js").Draft} Draft */
/** Drivers without lights. With these drivers the wizard skips the questions about lights. */
const DARK = ["virtual", "null"];

/** @param {Draft} draft */
function isDark(draft) {
  return DARK.includes(draft.value("strip.driver"));
}

/** @param {{draft: Draft, leds: number}} props `leds`: number of lights of the board */
export function Wizard({ draft, leds }) {
  useStore(draft);
  const [at, setAt] = useState(0);
  const form = useRef(/** @type {HTMLFormElement | null} */ (null));
  const moved = useRef(false);
  const dark = isDark(draft);
  const steps = draft.told.steps.filter(({ needs_lights: lit }) => !(lit && dark));
  const step = steps[at];
  useEffect(() => {
    if (moved.current) form.current?.querySelector("h2")?.focus();
  }, [at]);
  const go = (/** @type {number} */ by) => {
    moved.current = true;
    setAt(at + by);
  };
  const skip = () => {
    draft.drop();
    go(1);
  };
  const next = async (/** @type {Event} */ event) => {
    event.preventDefault();
    if (!step) return location.assign("/");
    if (await isKept(draft, step)) return go(1);
    /** @type {HTMLElement | null} */ (form.current?.querySelector("[aria-invalid=true]"))?.focus();
  };
  return html`
    <form class="step" novalidate data-ended=${step ? null : ""} onSubmit=${next} ref=${form}>
      <p class="progress">${step ? say("Question {n} of {of}", { n: at + 1, of: steps.length }) : say("Done")}</p>
      <h2 tabindex="-1">${step ? step.title : say("That is all")}</h2>
      ${step ? html`<p class="lead">${step.help}</p><${Asked} key=${step.id} ...${{ draft, step, leds }} />` : html`<${Ending} draft=${draft} />`}
      <div class="buttons-row">
        ${at > 0 && html`<button class="plain" type="button" onClick=${() => go(-1)}>${say("Back")}</button>`}
        ${step && html`<button class="plain" type="button" onClick=${skip}>${say("Skip")}</button>`}
        <button class="plain go" type="submit">${step ? say("Next") : say("To the board")}</button>
      </div>
    </form>`;
}

/**
 * Save the answer of a step. Return true if it is saved.
 *
 * @param {Draft} draft
 * @param {Api.Step} step
 */
async function isKept(draft, step) {
  // A board counts as new until its settings file has an entry, so the first answer is always written.
  if (step.id === "board" && draft.told.first_run) draft.changes.board ??= draft.value("board");
  return draft.count === 0 || draft.save();
}

/** @param {{draft: Draft, step: Api.Step, leds: number}} props */
function Asked({ draft, step, leds }) {
  const rules = draft.told.settings.filter(({ key }) => key.startsWith("rules."));
  switch (step.id) {
    case "board":
      return html`<${Cards} draft=${draft} name="board" legend=${step.title} /><${Fit} draft=${draft} />`;
    case "strip":
      return html`
        <${Cards} draft=${draft} name="strip.driver" legend=${step.title} />
        ${!isDark(draft) && html`
          <${Field} draft=${draft} name="strip.type" />
          <details class="more">
            <summary>${say("If red, green and blue come out wrong, or on other pins")}</summary>
            <${Field} draft=${draft} name="strip.order" /><${Field} draft=${draft} name="strip.pins" />
          </details>`}`;
    case "supply":
      return html`<${Supply} draft=${draft} leds=${leds} />`;
    case "light-test":
      return html`<${LightTest} /><${WhiteBalance} saved=${() => draft.reload()} />`;
    case "wiring":
      return html`
        <p>${say("If they lie as the building guide says, go on. If not, find them by tapping.")}</p>
        <${Calibration} saved=${() => draft.reload()} />`;
    case "sides":
      return html`<${Sides} draft=${draft} />`;
    case "rules":
      return html`
        <${Field} draft=${draft} name="preset" /><${Fit} draft=${draft} />
        <details class="more">
          <summary>${say("Single rules")}</summary>
          ${rules.map((setting) => html`<${Fields} key=${setting.key} ...${{ draft, setting }} />`)}
        </details>`;
    case "phones":
      return html`
        <${Cards} draft=${draft} name="web.host" legend=${step.title} />
        <p class="help">${say("After a restart, the board's page shows a code to scan. A phone watches at first; Phones, on that page, lets it score or run the table.")}</p>`;
    default:
      return step.keys.map((key) => html`<${Field} draft=${draft} name=${key} help="" />`);
  }
}

/** Lowest current in mA per light with which pegs are visible by day. */
const SEEN = 2;

/** @param {{draft: Draft, leds: number}} props */
function Supply({ draft, leds }) {
  const budget = draft.value("strip.budget_ma");
  const supply = Array.isArray(budget) ? budget.reduce((sum, each) => sum + each, 0) : budget;
  const values = { leds, dark: Math.ceil(leds / 100) / 10, good: Math.ceil((SEEN * leds) / 1000) + 3 };
  return html`
    <p>${say("The {leds} lights of this board take about {dark} A even while dark; a supply of {good} A shows it well in a bright room.", values)}</p>
    <${Field} draft=${draft} name="strip.budget_ma" />
    ${supply < SEEN * leds && html`<p class="fit" role="status">${say("With this supply the board is dim: it is seen well only in a dark room.")}</p>`}`;
}

/** @param {{draft: Draft}} props */
function Sides({ draft }) {
  const names = draft.setting("names");
  const colours = draft.setting("lights.colours");
  const sides = SIDES.slice(0, draft.value("teams"));
  return html`
    <${Field} draft=${draft} name="teams" help="" /><${Field} draft=${draft} name="players" help="" />
    ${sides.map((side) => html`
      <fieldset class="side-asked" key=${side}>
        <legend>${say("Side {side}", { side })}</legend>
        <${Field} draft=${draft} name="names.${side}" setting=${names} label=${say("Name of side {side}", { side })} help="" />
        <${ColourField} draft=${draft} setting=${colours} side=${side} />
      </fieldset>`)}
    <${Warnings} draft=${draft} />`;
}

/** The last screen, with the tasks that remain. @param {{draft: Draft}} props */
function Ending({ draft }) {
  return html`
    <p class="lead">${draft.told.pending
      ? say("Your answers are saved. They take effect after a restart, below.")
      : say("Your answers are kept. All of them can be changed under Settings.")}</p>
    <${Health} />`;
}
