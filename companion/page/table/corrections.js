// @ts-check
/** Dialogs to correct an earlier count and to place pegs, each with a preview of the change. */

import { say } from "../i18n/language.js";
import { facts } from "../ui/about.js";
import { Dialog } from "../ui/dialog.js";
import { Choice, Points, TextField, isCount, useFetched, useSending, valueOf } from "../ui/forms.js";
import { html, useState } from "../vendor/preact.js";
import { Preview, usePreview } from "./preview.js";

/** @typedef {import("../ui/forms.js").Option} Option */
/** A number, or the name of a hole on a side path such as trap-130:3. */
const HOLE = /^([0-9]+|[a-z][a-z0-9-]*:[0-9]+)$/;
const HOLE_FIELD = { name: "number", type: "text", required: true, size: 14, placeholder: "0" };
const REMOVED = "removed";

/**
 * Dialog with a form. The form can be sent when the rules allow its command.
 *
 * @param {{id: string, title: string, does: string, sides: Option[], command: Api.RefereeCommand | null, fault: string,
 *   close: () => void, children?: object}} props `command`: null while the form is incomplete; `fault`: what is
 *   wrong with the input, "" if nothing is wrong
 */
function CommandDialog({ id, title, does, sides, command, fault, close, children }) {
  const { allowed, ...preview } = usePreview(command);
  const { send, sends, refusal, setRefusal } = useSending();
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    if (command && (await send("/api/command", command))) close();
  };
  return html`
    <${Dialog} ...${{ id, title, close }} name="short">
      <form onSubmit=${submit} onInput=${() => setRefusal("")}>
        <div class="fields">${children}</div>
        <${Preview} ...${preview} sides=${sides} />
        <button class="plain go" type="submit" disabled=${!allowed || sends}>${does}</button>
        <p class="refusal" role="alert">${fault || refusal}</p>
      </form>
    <//>`;
}

/** @param {{sides: Option[], seq?: number, close: () => void}} props `seq`: number of the count's entry in the log */
export function Correction({ sides, seq, close }) {
  const { value, refusal } = useFetched("/api/counts");
  const [form, setForm] = useState(/** @type {ReturnType<typeof formOf> | null} */ (null));
  if (!value && !refusal) return null;
  const counts = /** @type {Api.CountResponse[]} */ (value ?? []);
  const { entry, points, isRemoved } = form ?? formOf(counts.find((count) => count.seq === seq) ?? counts[0]);
  const count = counts.find((each) => each.entry === entry);
  const wanted = isRemoved ? null : isCount(points) ? Number(points) : undefined;
  const isNew = wanted === null || wanted !== count?.points;
  const command = count && wanted !== undefined && isNew ? { correct: { entry, points: wanted } } : null;
  const fault = wanted === undefined && points ? say("Points are whole numbers from {low} to {high}.", { low: 1, high: facts.most_points }) : "";
  return html`
    <${CommandDialog} id="correction" title=${say("Correct a count")} does=${say("Correct it")} ...${{ sides, command, fault, close }}>
      ${count ? html`
        <${Counts} ...${{ counts, count }} choose=${(/** @type {Api.CountResponse} */ chosen) => setForm(formOf(chosen))} />
        <${Points} legend=${say("Points")} value=${points} disabled=${isRemoved}
          set=${(/** @type {string} */ text) => setForm({ entry, points: text, isRemoved })} />
        <${Choice} name="gone" legend="" options=${[{ value: REMOVED, label: say("Remove it") }]} value=${isRemoved ? [REMOVED] : []}
          set=${(/** @type {string[]} */ chosen) => setForm({ entry, points, isRemoved: chosen.length > 0 })} />`
        : html`<p>${refusal || say("Nobody has counted in this game.")}</p>`}
    <//>`;
}

/** Return the form for a count. If its `points` are null, it can only be removed. @param {{entry?: number, points?: number | null}} [count] */
function formOf({ entry = 0, points = null } = {}) {
  return { entry, points: `${points ?? ""}`, isRemoved: points === null };
}

/**
 * @param {{counts: Api.CountResponse[], count: Api.CountResponse, choose: (count: Api.CountResponse) => void}}
 *   props
 */
function Counts({ counts, count, choose }) {
  const hands = [...new Set(counts.map(({ hand }) => hand))];
  const change = (/** @type {Event} */ event) => {
    const chosen = counts.find(({ entry }) => `${entry}` === valueOf(event));
    if (chosen) choose(chosen);
  };
  return html`
    <label class="which">${say("Which count?")}${" "}
      <select value=${count.entry} onChange=${change}>
        ${hands.map((hand) => html`
          <optgroup label=${say("Hand {hand}", { hand })}>
            ${counts.filter((each) => each.hand === hand).map(({ entry, line }) => html`<option value=${entry}>${line}</option>`)}
          </optgroup>`)}
      </select>
    </label>`;
}

/** @param {{sides: Option[], close: () => void}} props */
export function Placing({ sides, close }) {
  const [side, setSide] = useState(/** @type {string | null} */ (null));
  const [front, setFront] = useState("");
  const [back, setBack] = useState("");
  const holes = [front, back].map((text) => text.trim());
  const fault = holes.some((text) => text && !HOLE.test(text)) ? say("A hole is a number, or one of a side path by its name.") : "";
  const isComplete = side !== null && holes.every((text) => HOLE.test(text));
  const [frontHole, backHole] = holes.map((text) => (text.includes(":") ? text : Number(text)));
  const command = isComplete ? { set_pegs: { team: Number(side), front: frontHole, back: backHole } } : null;
  return html`
    <${CommandDialog} id="placing" title=${say("Place pegs")} does=${say("Place them")} ...${{ sides, command, fault, close }}>
      <p>${say("For a game that was begun without lights: nothing is counted, and no zone acts.")}</p>
      <${Choice} name="side" legend=${say("Which side?")} options=${sides} value=${side} set=${setSide} />
      <${TextField} ...${HOLE_FIELD} label=${say("Front peg on")} value=${front} set=${setFront} />
      <${TextField} ...${HOLE_FIELD} label=${say("Back peg on")} value=${back} set=${setBack} />
    <//>`;
}
