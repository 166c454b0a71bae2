// @ts-check
/** Guide on the board's page: cards for a first visit and for the end of a game, and the dialog for a new game. */

import { say } from "../i18n/language.js";
import { useStore } from "../ui/store.js";
import { html, render, useState } from "../vendor/preact.js";
import { GuideStore } from "./guide_store.js";
import { NewGame } from "./new_game.js";
import { WinCard } from "./win_card.js";

/**
 * Draw the guide. Return its store, which the caller updates with the news.
 *
 * @param {HTMLElement} place
 * @param {{about: Api.About, actions: {demo: () => void, play: () => void},
 *   openers: {help: HTMLElement, game: HTMLElement}}} how
 */
export function drawGuide(place, { about, actions, openers }) {
  const store = new GuideStore(about);
  openers.help.addEventListener("click", () => store.welcome());
  render(html`<${Guide} ...${{ store, actions, opener: openers.game }} />`, place);
  return store;
}

/** @param {{store: GuideStore, actions: {demo: () => void, play: () => void}, opener: HTMLElement}} props */
function Guide({ store, actions, opener }) {
  useStore(store);
  const { about } = store;
  const [chooses, setChooses] = useState(false);
  const runs = about.right === "run";
  opener.onclick = () => setChooses(true);
  return html`
    ${store.isWelcome
      ? html`<${FirstVisit} ...${{ runs, actions }} zones=${about.zones} close=${() => store.dismiss()} />`
      : store.isOver && html`<${WinCard} store=${store} labels=${about.teams} runs=${runs} choose=${() => setChooses(true)} />`}
    ${chooses && html`<${NewGame} store=${store} labels=${about.teams} close=${() => setChooses(false)} />`}`;
}

/**
 * Card for the first visit of a device: the actions on this page, and how to play in four lines.
 *
 * @param {{runs: boolean, zones: boolean, actions: {demo: () => void, play: () => void}, close: () => void}} props
 *   `runs`: true if this page may run the table; `zones`: true if the board has zones
 */
function FirstVisit({ runs, zones, actions, close }) {
  const choose = (/** @type {() => void} */ act) => () => {
    close();
    act();
  };
  const lines = [
    say("Play cribbage with your own cards, or with cards dealt here."),
    say("Press +1 and +5 for what you count: a trail shows where you land. Enter pegs it."),
    zones && say("Red slides you along, blue pulls your next count back, green sends it on, violet makes you fold."),
    say("Undo takes anything back. The first side at the finish wins."),
  ];
  return html`
    <section class="guide-card" aria-labelledby="welcome-title">
      <header>
        <h2 id="welcome-title">${say("Welcome to Crib Wars")}</h2>
        <button class="plain" type="button" onClick=${close}>${say("Not now")}</button>
      </header>
      <ol class="how">${lines.filter(Boolean).map((line) => html`<li>${line}</li>`)}</ol>
      <nav class="choices">
        ${runs && html`
          <button class="plain go" type="button" onClick=${choose(actions.demo)}>${say("Watch the demo")}</button>
          <button class="plain go" type="button" onClick=${choose(actions.play)}>${say("Play against the computer")}</button>
          <a class="plain go" href="/setup" onClick=${close}>${say("Set up my board")}</a>`}
        ${!runs && html`<a class="plain go" href="/pad" onClick=${close}>${say("Keep score on this phone")}</a>`}
        <a class="plain" href="/rules">${say("The rules")}</a>
        <a class="plain" href="/lights-and-buttons.svg">${say("Lights and buttons")}</a>
      </nav>
    </section>`;
}
