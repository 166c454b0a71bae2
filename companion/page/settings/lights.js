// @ts-check
/**
 * Tests and calibration of the lights: patterns; the white balance, for which the user chooses the most neutral of five
 * patches three times; and the wiring, where the table switches on one light and the user taps its place on the drawing.
 */

import { say, sayings } from "../i18n/language.js";
import { request } from "../net/request.js";
import { html, useEffect, useState } from "../vendor/preact.js";
import { CardChoice } from "./controls.js";

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
    <${CardChoice} name="per" legend=${say("How many lights are there?")} options=${Object.entries(LIGHTS)} value=${per} choose=${setPer} />
    <${CardChoice} name="channels" legend=${say("How many data wires?")} options=${Object.entries(WIRES)} value=${channels} choose=${setChannels} />
    <button class="plain go" type="button" onClick=${() => ask({ begin: { per, channels: Number(channels) } })}>${say("Begin")}</button>`;
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
      <${Action} words=${say("Stop")} act=${() => ask({ end: "drop" })} />
    </div>
    <p class="fault" role="alert">${fault}</p>
    <div class=${large ? "tapped-frame large" : "tapped-frame"}><${Picture} told=${told} tap=${(/** @type {{x_mm: number, y_mm: number}} */ tap) => ask({ tap: { ...tap, answers } })} /></div>
    <p class="progress">${`${pieces} ${note}`.trim()}</p>`;
}

/** @param {{shown?: unknown, words: string, act: () => void, name?: string}} props */
function Action({ shown = true, words, act, name = "plain" }) {
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

const PATTERNS = sayings({
  order: "Colours",
  index: "Each its own",
  white: "White",
  zones: "Zones",
});
const SEEN = sayings({
  order: "All of a wire in red, then green, then blue, three seconds each.",
  index: "Every light in a colour of its own, the first three red, green and blue.",
  white: "White that rises from nothing to full, as far as the supply allows.",
  zones: "The print of the board: zones, paths and marks.",
});
const NOTHING = { shown: /** @type {string | null} */ (null), lines: /** @type {string[]} */ ([]), fault: "" };

/** A button for each pattern, with a description of the expected picture. */
export function LightTest() {
  const [{ shown, lines, fault }, setState] = useState(NOTHING);
  const ask = async (/** @type {string | null} */ pattern) => {
    const { value, refusal } = await request("/api/lights-test", { pattern: /** @type {Api.LightsTest["pattern"]} */ (pattern) });
    setState(refusal ? { ...NOTHING, fault: refusal } : { shown: pattern, lines: value.lines, fault: "" });
  };
  return html`
    <div class="light-test">
      <div class="buttons-row">
        ${Object.entries(PATTERNS).map(([pattern, name]) => html`
          <button class="plain" type="button" aria-pressed=${`${shown === pattern}`} onClick=${() => ask(pattern)}>${name}</button>`)}
        <button class="plain" type="button" onClick=${() => ask(null)}>${say("End")}</button>
      </div>
      <p class="seen" role="status">${shown && `${SEEN[shown]} ${say("Any press at the table ends it.")}`}</p>
      <ul class="lines">${lines.map((line) => html`<li>${line}</li>`)}</ul>
      <p class="fault" role="alert">${fault}</p>
    </div>`;
}

const PATCHES = [1, 2, 3, 4, 5];

/** Buttons to begin, to choose a patch and to keep the result. @param {{saved: () => void}} props */
export function WhiteBalance({ saved }) {
  const [progress, setProgress] = useState(/** @type {Api.WhiteBalance | null} */ (null));
  const [fault, setFault] = useState("");
  const ask = async (/** @type {Api.BalanceWhite | undefined} */ value) => {
    const { value: answer, refusal } = await request("/api/white-balance", value);
    if (!refusal) setProgress(answer);
    if (!refusal && value?.end === "save") saved();
    setFault(refusal);
  };
  useEffect(() => void ask(undefined), []);
  return html`
    <div class="white-balance">
      ${progress && (progress.begun ? html`<${Round} ...${{ progress, ask }} />` : html`
        <p>${say("Is white not white on your strip? Choose the most neutral light three times.")}</p>
        <div class="buttons-row"><${Action} words=${say("Balance white")} act=${() => ask({ begin: true })} /></div>`)}
      <p class="fault" role="alert">${fault}</p>
    </div>`;
}

/** @param {{progress: Api.WhiteBalance, ask: (value: Api.BalanceWhite) => void}} props */
function Round({ progress: { round, rounds, white }, ask }) {
  const done = round > rounds;
  const parts = white.map((part) => `${Math.round(100 * part)} %`).join(", ");
  return html`
    <p role="status">${done
      ? say("This is your white: red, green and blue at {parts}.", { parts })
      : say("Round {round} of {rounds}: five patches of light are lit along the first wire, the first where it begins. Which one is the most neutral, neither yellow nor blue, neither green nor pink?", { round, rounds })}</p>
    <div class="buttons-row">
      ${done
        ? html`<${Action} words=${say("Keep it")} act=${() => ask({ end: "save" })} />`
        : PATCHES.map((patch) => html`<${Action} key=${patch} words=${`${patch}`} act=${() => ask({ choose: { round, patch } })} />`)}
      <${Action} words=${say("Leave it as it was")} act=${() => ask({ end: "drop" })} />
    </div>`;
}
