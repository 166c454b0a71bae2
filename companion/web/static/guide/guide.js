// @ts-check
/**
 * The guide on the board's page: a first visit, the end of a game, a new game at any time.
 */

import { useStore } from "../ui/store.js";
import { html, render, useState } from "../vendor/preact.js";
import { FirstVisit } from "./first_visit.js";
import { GuideStore } from "./guide_store.js";
import { NewGame } from "./new_game.js";
import { WinCard } from "./win_card.js";

/**
 * Draw the guide. Return its store, which takes the news.
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

/**
 * @param {{store: GuideStore, actions: {demo: () => void, play: () => void}, opener: HTMLElement}} props
 */
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
