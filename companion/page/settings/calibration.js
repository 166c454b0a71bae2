// @ts-check
/** Calibration of the wiring. The table switches on one light, and the user taps its place on the drawing. */

import { say, sayings } from "../i18n/language.js";
import { request } from "../net/request.js";
import { html, useEffect, useState } from "../vendor/preact.js";

const ASKED = sayings({
  where: "One light is on. Tap the hole where you see it: most likely at a ring.",
  any: "Is any light on, anywhere?",
  dark: "All lights of this wire are on. Tap a hole that stays dark.",
});
const LIGHTS = sayings({
  "hole-and-lane": "One a hole in each lane",
  hole: "One a hole, which the lanes share",
});
const WIRES = sayings({ 1: "One", 2: "Two" });
const NONE = sayings({ where: "I see no light", any: "No light", dark: "None stays dark" });

/** @param {{saved: () => void}} props `saved`: called after the settings file was written */
export function Calibration({ saved }) {
  const [told, setTold] = useState(/** @type {Api.CalibrationProgress | null} */ (null));
  const [fault, setFault] = useState("");
  const [kept, setKept] = useState(false);
  const ask = async (/** @type {Api.Calibrate} */ value) => {
    const { value: answer, refusal } = await request("/api/calibration", value);
    setFault(refusal);
    if (!refusal) setTold(answer);
    return !refusal;
  };
  useEffect(() => {
    request("/api/calibration").then(({ value, refusal }) => refusal || setTold(value));
  }, []);
  const save = async () => {
    if (!(await ask({ end: "save" }))) return;
    setKept(true);
    saved();
  };
  const words = kept ? say("The wiring is saved. It takes effect after a restart.") : "";
  return html`
    <div class=${`calibration${told?.begun && pictured(told) ? "" : " no-picture"}`} data-answers=${told?.answers}>
      <p class="seen" role="status">${words}</p>
      ${told?.begun
        ? html`<${Asking} ...${{ told, ask, save, fault }} />`
        : html`<${Offer} ask=${ask} /><p class="fault" role="alert">${fault}</p>`}
    </div>`;
}

/** @param {Api.CalibrationProgress} told */
function pictured({ asked }) {
  return asked !== null && asked.asked !== "any";
}

/** @param {{ask: (value: Api.Calibrate) => Promise<boolean>}} props */
function Offer({ ask }) {
  const [per, setPer] = useState(/** @type {Api.Begin["per"]} */ ("hole-and-lane"));
  const [channels, setChannels] = useState("1");
  return html`
    <${Choice} legend=${say("How many lights are there?")} options=${LIGHTS} value=${per} choose=${setPer} />
    <${Choice} legend=${say("How many data wires?")} options=${WIRES} value=${channels} choose=${setChannels} />
    <button class="plain go" type="button" onClick=${() => ask({ begin: { per, channels: Number(channels) } })}>${say("Begin")}</button>`;
}

/**
 * @param {{legend: string, options: Record<string, string>, value: string,
 *   choose: (value: string) => void}} props
 */
function Choice({ legend, options, value, choose }) {
  return html`
    <fieldset class="cards-asked">
      <legend>${legend}</legend>
      ${Object.entries(options).map(([each, words]) => html`
        <label class="option card-asked">
          <input type="radio" name=${legend} value=${each} checked=${each === value} onChange=${() => choose(each)} />
          <span>${words}</span>
        </label>`)}
    </fieldset>`;
}

/**
 * @param {{told: Api.CalibrationProgress, ask: (value: Api.Calibrate) => Promise<boolean>, save: () => void,
 *   fault: string}} props
 */
function Asking({ told, ask, save, fault }) {
  const [large, setLarge] = useState(() => matchMedia("(max-width: 700px)").matches);
  const { asked, answers, found, missing, note } = told;
  const middle = { x_mm: told.width_mm / 2, y_mm: told.height_mm / 2 };
  const pieces = say("{n} of {of} pieces of strip found.", { n: found.length, of: found.length + missing.length });
  return html`
    <p class="question" role="status">${asked ? ASKED[asked.asked] : ended(missing)}</p>
    <div class="buttons-row">
      <${Action} shown=${asked?.asked === "any"} words=${say("Yes, I see light")} act=${() => ask({ tap: { ...middle, answers } })} />
      <${Action} shown=${asked} words=${asked && NONE[asked.asked]} act=${() => ask({ nothing: { answers } })} />
      <${Action} shown=${answers > 0} words=${say("Go back")} act=${() => ask({ undo: { answers } })} />
      <${Action} shown=${!asked && !missing.length} words=${say("Save the wiring")} act=${save} name="plain go" />
      <${Action} shown=${pictured(told)} words=${large ? say("Whole board") : say("Larger")} act=${() => setLarge(!large)} />
      <${Action} shown words=${say("Stop")} act=${() => ask({ end: "drop" })} />
    </div>
    <p class="fault" role="alert">${fault}</p>
    <div class=${large ? "tapped-frame large" : "tapped-frame"}><${Picture} told=${told} tap=${(/** @type {{x_mm: number, y_mm: number}} */ tap) => ask({ tap: { ...tap, answers } })} /></div>
    <p class="progress">${`${pieces} ${note}`.trim()}</p>`;
}

/** @param {{shown: unknown, words: string, act: () => void, name?: string}} props */
function Action({ shown, words, act, name = "plain" }) {
  return shown && html`<button class=${name} type="button" onClick=${act}>${words}</button>`;
}

/**
 * Drawing of the board to tap, with a button at each likely place of the light.
 *
 * @param {{told: Api.CalibrationProgress, tap: (where: {x_mm: number, y_mm: number}) => void}} props
 */
function Picture({ told: { asked, width_mm: width, height_mm: height }, tap }) {
  const [source] = useState(() => `/calibration.svg?${Date.now()}`);
  const tapped = (/** @type {MouseEvent} */ { clientX, clientY, currentTarget }) => {
    const box = /** @type {HTMLElement} */ (currentTarget).getBoundingClientRect();
    if (asked) tap({ x_mm: ((clientX - box.left) / box.width) * width, y_mm: ((clientY - box.top) / box.height) * height });
  };
  const dot = (/** @type {Api.Spot} */ { x_mm, y_mm, name }) => html`
    <button class="dot" type="button" aria-label=${say("It is at {name}", { name })} onClick=${(/** @type {Event} */ event) => {
      event.stopPropagation();
      tap({ x_mm, y_mm });
    }} style=${{ left: `${(100 * x_mm) / width}%`, top: `${(100 * y_mm) / height}%` }} />`;
  return html`
    <div class="tapped-sheet" style=${{ aspectRatio: `${width / height}` }} onClick=${tapped}>
      <img src=${source} alt=${say("The printed board")} />
      ${(asked?.likely ?? []).map(dot)}
    </div>`;
}

/** @param {string[]} missing */
function ended(missing) {
  if (!missing.length) return say("All is known. Save it, and the board is wired.");
  const names = missing.join(", ");
  return say("No light was seen in {names}. See that the data wire gets there, then go back.", { names });
}
