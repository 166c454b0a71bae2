// @ts-check
/** Bar below the settings: unsaved changes, changes that need a restart, and faults. */

import { many, say, sayings } from "../i18n/language.js";
import { request } from "../net/request.js";
import { useStore } from "../ui/store.js";
import { html, useLayoutEffect, useState } from "../vendor/preact.js";
import { Findings, toMend } from "./health.js";

/** @typedef {import("./draft.js").Draft} Draft */
/** Effects of changed settings on the running game. */
const EFFECTS = sayings({
  "next-game": "House rules count from the next game: neither this game nor the match is lost.",
  "new-game": "Another board or other sides begin a new game and a new match; this game stays in the records.",
});

/** @param {{draft: Draft, restart: () => void}} props */
export function Bar({ draft, restart }) {
  useStore(draft);
  const [warned, setWarned] = useState(/** @type {Api.Finding[]} */ ([]));
  const { count, error, stale, told } = draft;
  const acts = draft.acts && !count && !told.pending;
  const faults = [error, ...draft.otherFaults].filter(Boolean);
  useLayoutEffect(() => {
    const bar = /** @type {HTMLElement} */ (document.getElementById("bar"));
    bar.hidden = !(count || told.pending || faults.length || stale || acts);
  });
  const start = async () => {
    const { value, refusal } = await request("/api/doctor");
    const found = refusal ? [] : toMend(value);
    setWarned(found);
    if (!found.length) restart();
  };
  return html`
    ${count > 0 && html`<${Unsaved} draft=${draft} />`}
    <p class="effect" role="status">${acts && say("Saved, and in force.")}</p>
    ${!count && told.pending && (warned.length
      ? html`<${Warned} findings=${warned} restart=${restart} />`
      : html`<${Pending} effect=${told.game} start=${start} />`)}
    ${faults.map((text) => html`<p class="fault" role="alert">${text}</p>`)}
    ${stale && html`<button class="plain" type="button" onClick=${() => draft.reload()}>${say("Load what the file says")}</button>`}`;
}

/** @param {{draft: Draft}} props */
function Unsaved({ draft }) {
  const save = async () => {
    if (await draft.save()) return;
    const screen = document.querySelector("main")?.dataset.screen;
    /** @type {HTMLElement | null} */ (document.querySelector(`#${screen} [aria-invalid=true]`))?.focus();
  };
  return html`
    <p>${many(draft.count, "{n} change is not saved.", "{n} changes are not saved.")}</p>
    <button class="plain go" type="button" onClick=${save}>${say("Save")}</button>
    <button class="plain" type="button" onClick=${() => draft.drop()}>${say("Drop")}</button>
    ${EFFECTS[draft.effect] && html`<p class="effect">${EFFECTS[draft.effect]}</p>`}`;
}

/** @param {{effect: string, start: () => void}} props */
function Pending({ effect, start }) {
  return html`
    <p>${say("Saved. It takes effect after a restart.")}</p>
    <button class="plain go" type="button" onClick=${start}>${say("Restart")}</button>
    <p class="effect">${EFFECTS[effect] ?? say("The game goes on.")}</p>`;
}

/** @param {{findings: Api.Finding[], restart: () => void}} props */
function Warned({ findings, restart }) {
  return html`
    <p>${say("With this it may not start, and would come back with the settings from before.")}</p>
    <${Findings} findings=${findings} />
    <button class="plain" type="button" onClick=${restart}>${say("Restart all the same")}</button>`;
}
