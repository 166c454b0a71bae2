// @ts-check
/**
 * The list of recorded games, newest first.
 */

import { say } from "../i18n/language.js";
import { html } from "../vendor/preact.js";
import { dateWords, endWords, nameOf } from "./game_labels.js";

/** @param {{store: import("./records_store.js").RecordsStore, labels: Record<string, Api.SideLabel>}} props */
export function GamesList({ store, labels }) {
  const games = store.games ?? [];
  const none = store.games && !games.length ? say("No game has been played yet.") : "";
  const open = (/** @type {number} */ number) => store.open(number);
  return html`
    <section id="games" aria-labelledby="games-title">
      <h2 id="games-title">${say("Games")}</h2>
      <table>
        <thead><tr>
          <th scope="col">${say("Game")}</th><th scope="col">${say("Sides")}</th>
          <th scope="col">${say("End")}</th><th scope="col" class="figure">${say("Counts")}</th>
        </tr></thead>
        <tbody>${games.map((game) => html`<${Row} key=${game.number} ...${{ game, labels, open }}
          opened=${store.opened?.game.number === game.number} />`)}</tbody>
      </table>
      <p id="none" role="status">${store.fault || none}</p>
      <button id="older" class="plain" type="button" hidden=${!store.more}
        onClick=${() => store.list(games.at(-1)?.number)}>${say("Older games")}</button>
    </section>`;
}

/** @param {{game: Api.Game, labels: Record<string, Api.SideLabel>, opened: boolean, open: (number: number) => void}} props */
function Row({ game, labels, opened, open }) {
  const { number, sides, begun, counts } = game;
  return html`
    <tr>
      <td><button class="plain" type="button" data-game=${number} aria-pressed=${`${opened}`}
        aria-label=${say("Game {number}", { number })} onClick=${() => open(number)}>${number}</button></td>
      <td>
        ${Object.entries(sides).map(([side, { progress }]) => html`
          <p class="name" style=${{ "--side": labels[side]?.colour }}>${nameOf(game, side, labels)} ${progress}</p>`)}
        <p class="date">${dateWords(begun)}</p>
      </td>
      <td>${endWords(game, labels)}</td>
      <td class="figure">${counts}</td>
    </tr>`;
}
