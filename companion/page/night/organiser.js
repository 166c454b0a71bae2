// @ts-check
/**
 * The organiser's page. First come the open tasks, each with its next action; then the rounds with their
 * results, the sides, the cards, and the format of the night.
 */

import { connectionWords } from "../i18n/labels.js";
import { many, say, sayings } from "../i18n/language.js";
import { LanguageChoice } from "../ui/forms.js";
import { useStore } from "../ui/store.js";
import { html, render } from "../vendor/preact.js";
import { Cards, Games, useChange, valuesOf } from "./games.js";
import { NightStore, fetchNightAbout } from "./night_store.js";

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
    ${!runs && html`<p class="lead">${say("This page only shows: make changes on the machine that runs the organiser's program.")}</p>`}
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
      ${refusal}
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
      ${refusal}
    </section>`;
}

/** @param {{entrants: Api.EntrantView[]}} props */
function Entrants({ entrants }) {
  const [send, refusal] = useChange();
  const playing = entrants.filter((each) => each.playing).length;
  const add = async (/** @type {Event} */ event) => {
    const form = /** @type {HTMLFormElement} */ (event.currentTarget);
    if (await send({ command: "add-entrants", lines: valuesOf(event).lines })) form.reset();
  };
  return html`
    <section id="entrants" aria-labelledby="entrants-title">
      <h2 id="entrants-title">${say("Sides")}</h2>
      <p>${many(playing, "{n} side plays.", "{n} sides play.")} ${say("One side a line, with & between its players.")}</p>
      <form class="line" onSubmit=${add}>
        <textarea name="lines" rows="4" required aria-label=${say("Sides to add, a line each")}></textarea>
        <button class="plain">${say("Add")}</button>
      </form>
      ${refusal}
      <ul class="entrants">${entrants.map((entrant) => html`<${EntrantRow} key=${entrant.id} entrant=${entrant} />`)}</ul>
    </section>`;
}

/** @param {{entrant: Api.EntrantView}} props */
function EntrantRow({ entrant }) {
  const { id, name, playing, seated } = entrant;
  const [send, refusal] = useChange();
  const set = (/** @type {Partial<Api.SetEntrant>} */ changed) => send({ command: "set-entrant", id, name, playing, ...changed });
  const leave = () => (seated ? set({ playing: false }) : send({ command: "remove-entrant", id }));
  return html`
    <li class=${playing ? "" : "gone"}>
      <input type="text" value=${name} aria-label=${say("Name of {name}", { name })}
        onChange=${(/** @type {{currentTarget: HTMLInputElement}} */ { currentTarget }) => set({ name: currentTarget.value })} />
      ${playing
        ? html`<button class="plain" type="button" onClick=${leave}
            aria-label=${seated ? say("{name} leaves", { name }) : say("Take {name} off the list", { name })}>${seated ? say("Leaves") : say("Remove")}</button>`
        : html`<button class="plain" type="button" aria-label=${say("{name} is back", { name })}
            onClick=${() => set({ playing: true })}>${say("Is back")}</button>`}
      ${refusal}
    </li>`;
}

/** @param {{night: Api.OrganiserView}} props */
function Format({ night }) {
  const { hall, finish, scoring, tables, planned_rounds: planned } = night;
  const [send, refusal] = useChange();
  const set = (/** @type {Event} */ event) => {
    const values = valuesOf(event);
    const numbers = values.tables.split(",").map((each) => each.trim()).filter(Boolean).map(Number);
    return send({
      command: "set-format", title: values.title, finish: /** @type {121 | 363} */ (Number(values.finish)),
      scoring: /** @type {Api.SetFormat["scoring"]} */ (values.scoring), planned_rounds: Number(values.rounds), tables: numbers,
    });
  };
  return html`
    <section id="format" aria-labelledby="format-title">
      <h2 id="format-title">${say("Format")}</h2>
      <form class="fields" onSubmit=${set}>
        <label>${say("Title on the hall screen")} <input name="title" type="text" maxlength="60" defaultValue=${hall.title} /></label>
        <label>${say("Game")} <select name="finish">
          <option value="363" selected=${finish === 363}>${say("Crib Wars, 363 holes")}</option>
          <option value="121" selected=${finish === 121}>${say("Cribbage, 121 holes")}</option>
        </select></label>
        <label>${say("Game points")} <select name="scoring">
          <option value="crib-wars" selected=${scoring === "crib-wars"}>${say("Crib Wars: 2 for a win, 3 if the loser is not past a third of the track")}</option>
          <option value="acc" selected=${scoring === "acc"}>${say("ACC: 2 for a win, 3 for a win by 31 or more")}</option>
        </select></label>
        <label>${say("Rounds")} <input name="rounds" type="number" min="1" max="40" required defaultValue=${planned} /></label>
        <label>${say("Numbers of the tables, with commas; empty for 1, 2, 3 and so on")}
          <input name="tables" type="text" inputmode="numeric" pattern="[0-9 ,]*" defaultValue=${tables.join(", ")} /></label>
        <button class="plain">${say("Save")}</button>
      </form>
      <p><button class="plain" type="button" onClick=${() => beginAnew(send)}>${say("Begin a new night with these sides")}</button></p>
      ${refusal}
    </section>`;
}

/** @param {(change: Api.BeginAnew) => Promise<boolean>} send */
function beginAnew(send) {
  const sure = say("Begin a new night? Rounds, results and corrections of this one are taken off; save them first.");
  if (!confirm(sure)) return;
  const bytes = [...crypto.getRandomValues(new Uint8Array(8))];
  const night = bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");
  send({ command: "begin-anew", night });
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
