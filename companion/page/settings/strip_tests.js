// @ts-check
/** Tests of the strip: patterns, and the white balance, for which the user chooses the most neutral of five patches three times. */

import { say, sayings } from "../i18n/language.js";
import { request } from "../net/request.js";
import { html, useEffect, useState } from "../vendor/preact.js";

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
        <div class="buttons-row"><${Act} ask=${ask} value=${{ begin: true }} label=${say("Balance white")} /></div>`)}
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
        ? html`<${Act} ask=${ask} value=${{ end: "save" }} label=${say("Keep it")} />`
        : PATCHES.map((patch) => html`<${Act} key=${patch} ask=${ask} value=${{ choose: { round, patch } }} label=${`${patch}`} />`)}
      <${Act} ask=${ask} value=${{ end: "drop" }} label=${say("Leave it as it was")} />
    </div>`;
}

/** @param {{ask: (value: Api.BalanceWhite) => void, value: Api.BalanceWhite, label: string}} props */
function Act({ ask, value, label }) {
  return html`<button class="plain" type="button" onClick=${() => ask(value)}>${label}</button>`;
}
