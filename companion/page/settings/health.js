// @ts-check
/** Findings of the doctor about this machine. */

import { many, say, sayings } from "../i18n/language.js";
import { request } from "../net/request.js";
import { html, useEffect, useState } from "../vendor/preact.js";

const LEVELS = sayings({ ok: "In order", note: "Worth knowing", fix: "To be mended" });

/** Findings of the doctor. They are fetched when the component is first shown, and again on demand. */
export function Health() {
  const [state, setState] = useState({ words: "", findings: /** @type {Api.Finding[]} */ ([]) });
  const look = async () => {
    setState(({ findings }) => ({ words: say("Looking"), findings }));
    const { value, refusal } = await request("/api/doctor");
    const findings = refusal ? [] : value;
    setState({ words: refusal || healthWords(toMend(findings).length), findings });
  };
  useEffect(() => void look(), []);
  return html`
    <div class="health">
      <p class="seen" role="status">${state.words}</p>
      <${Findings} findings=${state.findings} />
      <button class="plain" type="button" onClick=${look}>${say("Look again")}</button>
    </div>`;
}

/** @param {{findings: Api.Finding[]}} props */
export function Findings({ findings }) {
  return html`
    <ul class="findings">${findings.map(({ level, what, why, remedy }) => html`
      <li class="finding ${level}">
        <span class="level">${LEVELS[level]}</span><strong>${what}</strong><p>${why}</p>
        ${remedy && html`<p class="remedy">${remedy}</p>`}
      </li>`)}</ul>`;
}

/** @param {Api.Finding[]} findings */
export function toMend(findings) {
  return findings.filter(({ level }) => level === "fix");
}

/** @param {number} faults */
function healthWords(faults) {
  if (!faults) return say("Nothing is to be mended.");
  return many(faults, "{n} thing is to be mended.", "{n} things are to be mended.");
}
