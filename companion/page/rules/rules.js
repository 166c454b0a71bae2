// @ts-check
/** The page of the rules in force, in plain words, to read or to print. */

import { fetchAbout } from "../ui/about.js";
import { say } from "../i18n/language.js";
import { request } from "../net/request.js";
import { html, render } from "../vendor/preact.js";

await fetchAbout();
const main = /** @type {HTMLElement} */ (document.querySelector("main"));
const { value, refusal } = await request("/api/rules");
render(refusal ? html`<p class="refusal">${refusal}</p>` : rulesPage(value), main);

/** @param {Api.RulesText} rules */
function rulesPage({ title, sections }) {
  return html`
    <header>
      <h1>${title}</h1>
      <button class="plain" type="button" onClick=${() => window.print()}>${say("Print")}</button>
      <a class="plain" href="/">${say("Board")}</a>
    </header>
    ${sections.map(({ title: heading, lines }) => html`
      <section>
        <h2>${heading}</h2>
        ${lines.map((line) => html`<p>${line}</p>`)}
      </section>`)}`;
}
