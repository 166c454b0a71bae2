// @ts-check
/**
 * The organiser's page: first what needs attention, each with its next action; then the sides, the
 * rounds with their results, the cards, and the format of the night.
 */

import { LanguageChoice } from "../i18n/chooser.js";
import { connectionWords } from "../i18n/labels.js";
import { say, sayings } from "../i18n/language.js";
import { useStore } from "../ui/store.js";
import { html, render } from "../vendor/preact.js";
import { Cards } from "./cards.js";
import { useChange, valuesOf } from "./change.js";
import { Entrants } from "./entrants.js";
import { Format } from "./format.js";
import { Games } from "./games.js";
import { fetchNightAbout } from "./night_about.js";
import { NightStore } from "./night_store.js";

/** @type {Record<string, string>} */
const CONNECTION = sayings({
  live: "Live",
  lost: "Connection lost, trying again",
  off: "The organiser's program has ended; this page waits for it",
  resting: "Resting",
});

const about = await fetchNightAbout();
const runs = about.right === "run";
/** @type {NightStore<"/api/night/stream">} */
const store = new NightStore("/api/night/stream", about.version);

function Page() {
  useStore(store);
  const { view: night, connection } = store;
  const { state } = connection;
  const place = /** @type {HTMLElement} */ (document.getElementById("connection"));
  if (place.dataset.state !== state && state !== "waiting") {
    place.dataset.state = state;
    render(connectionWords(connection, CONNECTION), place);
  }
  if (!night) return null;
  return html`
    <${Attention} night=${night} />
    ${!runs && html`<p class="lead">${say("This page only shows: changes are made at the machine that the organiser's program runs on.")}</p>`}
    <fieldset disabled=${!runs} class="changes">
      <${Announcement} message=${night.hall.message} />
      <${Games} night=${night} />
      <${Entrants} entrants=${night.entrants} />
      <${Cards} night=${night} />
      <${Format} night=${night} />
    </fieldset>
    <${Files} />`;
}

/** @param {{night: Api.OrganiserView}} props */
function Attention({ night }) {
  const { attention, refusal } = night;
  return html`
    <section id="attention" aria-labelledby="attention-title">
      <h2 id="attention-title">${say("To do")}</h2>
      <ul>${attention.map((matter) => html`<${Matter} key=${matter.text} matter=${matter} night=${night} />`)}</ul>
      ${refusal && html`<p class="refusal" role="alert">${refusal}</p>`}
    </section>`;
}

/** @param {{matter: Api.Matter, night: Api.OrganiserView}} props */
function Matter({ matter, night }) {
  const { text, action, seat, urgent } = matter;
  const [send, refusal] = useChange();
  const round = night.hall.round + 1;
  return html`
    <li class=${urgent ? "urgent" : ""}>
      <span>${text}</span>
      ${action === "seat" && html`<button class="plain" type="button" disabled=${!runs}
        onClick=${() => send({ command: "seat-round", round })}>${say("Seat round {round}", { round })}</button>`}
      ${action === "enter" && seat && html`<a class="plain" href=${`#game-${seat[0]}-${seat[1]}`}>${say("Enter the result")}</a>`}
      ${action === "add" && html`<a class="plain" href="#entrants">${say("Add sides")}</a>`}
      ${action === "export" && html`<a class="plain" href="/print" target="_blank">${say("Print")}</a>`}
      ${refusal && html`<p class="refusal" role="alert">${refusal}</p>`}
    </li>`;
}

/** @param {{message: string}} props */
function Announcement({ message }) {
  const [send, refusal] = useChange();
  return html`
    <section id="message" aria-labelledby="message-title">
      <h2 id="message-title">${say("Message on the hall screen")}</h2>
      <form class="line" onSubmit=${(/** @type {Event} */ event) => send({ command: "set-message", text: valuesOf(event).text })}>
        <input name="text" type="text" maxlength="200" key=${message} defaultValue=${message} aria-labelledby="message-title" />
        <button class="plain">${say("Show")}</button>
        <button class="plain" type="button" disabled=${!message} onClick=${() => send({ command: "set-message", text: "" })}>${say("Remove")}</button>
      </form>
      ${refusal && html`<p class="refusal" role="alert">${refusal}</p>`}
    </section>`;
}

function Files() {
  return html`
    <section id="files" aria-labelledby="files-title">
      <h2 id="files-title">${say("To take away")}</h2>
      <ul>
        <li><a class="plain" href="/print" target="_blank">${say("Seating, standings and cards to print")}</a></li>
        <li><a class="plain" href="/api/night/standings.csv" download>${say("Standings as a table (CSV)")}</a></li>
        <li><a class="plain" href="/api/night/cards.csv" download>${say("Cards as a table (CSV)")}</a></li>
        <li><a class="plain" href="/api/night/export.json" download>${say("Everything (JSON)")}</a></li>
      </ul>
    </section>`;
}

render(html`<${LanguageChoice} about=${about} />`, /** @type {HTMLElement} */ (document.getElementById("language")));
render(html`<${Page} />`, /** @type {HTMLElement} */ (document.getElementById("night")));
