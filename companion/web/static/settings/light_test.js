// @ts-check
/** Test patterns on the strip. */

import { say, sayings } from "../i18n/language.js";
import { request } from "../net/request.js";
import { html, useState } from "../vendor/preact.js";

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
