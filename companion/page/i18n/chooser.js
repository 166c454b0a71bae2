// @ts-check
/** Selection field for this device's language. */

import { html } from "../vendor/preact.js";
import { say } from "./language.js";

const COOKIE = "cribwars-language";
const YEAR_S = 365 * 24 * 3600;

/** @param {{about: {languages: Record<string, string>, language: string}}} props `languages`: native names by code */
export function LanguageChoice({ about: { languages, language } }) {
  return html`
    <label class="switch">${say("Language")}${" "}
      <select translate="no" value=${language} onChange=${choose}>
        ${Object.entries(languages).map(([code, name]) => html`<option value=${code} lang=${code}>${name}</option>`)}
      </select>
    </label>`;
}

/** @param {Event} event */
function choose({ target }) {
  const { value } = /** @type {HTMLSelectElement} */ (target);
  document.cookie = `${COOKIE}=${value}; path=/; max-age=${YEAR_S}; SameSite=Lax`;
  location.reload();
}
