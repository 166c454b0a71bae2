// @ts-check
/** Preview of the effects of a command. */

import { holeWords } from "../i18n/labels.js";
import { say } from "../i18n/language.js";
import { request } from "../net/request.js";
import { html, useEffect, useState } from "../vendor/preact.js";

/** @typedef {import("../ui/forms.js").Option} Option */

/**
 * Ask the table for the effects of a command whenever it changes.
 *
 * @param {Api.RefereeCommand | null} command null while it is incomplete
 * @returns {{allowed: boolean, refusal: string, effects: Api.CommandPreview | null}} `allowed`: by the rules
 */
export function usePreview(command) {
  const text = JSON.stringify(command);
  const [{ of, refusal, effects }, setAnswer] = useState({ of: "", refusal: "", effects: null });
  useEffect(() => {
    let current = true;
    if (!command) setAnswer({ of: "", refusal: "", effects: null });
    else request("/api/preview", command).then((answer) => {
      if (current) setAnswer({ of: text, refusal: answer.refusal, effects: answer.refusal ? null : answer.value });
    });
    return () => void (current = false);
  }, [text]);
  return { allowed: effects !== null && of === text, refusal, effects };
}

/**
 * @param {{effects: Api.CommandPreview | null, refusal: string, sides?: Option[]}} props `sides`: sides whose
 *   pegs are shown too
 */
export function Preview({ effects, refusal, sides = [] }) {
  return html`
    <div class="preview" role="status">${effects ? html`
      <p class=${effects.zones.length ? "warn" : ""}>${effects.line}</p>
      ${sides.map((side) => html`<${Moved} side=${side} ...${effects.sides[side.value]} />`)}
      ${effects.changes.map((change) => html`<p class="changed">${changeWords(change)}</p>`)}`
      : html`<p class="warn">${refusal}</p>`}
    </div>`;
}

/** @param {{before: string, after: string}} change change of a line of the log */
function changeWords({ before, after }) {
  if (!after) return say("Dropped: {before}", { before });
  return before ? say("{before} Then: {after}", { before, after }) : after;
}

/** @param {{side: Option, before: Api.SideValue, after: Api.SideValue}} props */
function Moved({ side: { label: name, colour }, before, after }) {
  if (before.front === after.front && before.back === after.back) return null;
  const values = { name, before: holeWords(before.front), after: holeWords(after.front), back: holeWords(after.back) };
  return html`
    <p class="moved" style=${{ "--side": colour }}>
      ${say("{name}: from {before} to {after}, the back peg on {back}", values)}
    </p>`;
}
