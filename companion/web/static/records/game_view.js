// @ts-check
/**
 * One recorded game: its race, a slider through its places, and the same as a table.
 */

import { many, say } from "../i18n/language.js";
import { useStore } from "../ui/store.js";
import { html, useEffect, useRef } from "../vendor/preact.js";
import { drawSheet } from "../table/sheet.js";
import { Chart } from "./chart.js";
import { chartWords, dateWords, endWords, nameOf } from "./game_labels.js";

/** @typedef {import("./records_store.js").RecordedGame} RecordedGame */
/** @typedef {import("./replay.js").Replay} Replay */
/** @typedef {{team: string, name: string, colour: string, progress: number[]}} Line */

/** Colour of a side that is not at the table. */
const PLAIN = "#d9c9a8";

/**
 * @param {{recorded: RecordedGame, replay: Replay, about: import("../ui/about.js").About,
 *   light: {current: any}}} props
 */
export function GameView({ recorded, replay, about, light }) {
  useStore(replay);
  const { game, places, progress, here } = recorded;
  const title = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    replay.open(game.number, places.length - 1);
    title.current?.focus({ preventScroll: true });
    title.current?.scrollIntoView({ block: "start" });
  }, [recorded]);
  const at = Math.min(replay.at, places.length - 1);
  const lines = Object.keys(game.sides).map((team) => ({
    team, name: nameOf(game, team, about.teams), colour: about.teams[team]?.colour ?? PLAIN, progress: progress[team],
  }));
  const facts = [
    dateWords(game.begun), game.title,
    many(game.counts, "{n} count", "{n} counts"), many(game.hands, "{n} hand", "{n} hands"),
  ];
  return html`
    <section id="game" aria-labelledby="game-title">
      <h2 id="game-title" tabindex="-1" ref=${title}>
        ${say("Game {number}: {end}", { number: game.number, end: endWords(game, about.teams) })}
      </h2>
      <p id="when">${facts.join(", ")}</p>
      <${Sheet} about=${about} light=${light} shown=${replay.lent} />
      <${Chart} lines=${lines} finish=${game.finish} at=${at} title=${chartWords(game, about.teams)}
        go=${(/** @type {number} */ place) => replay.go(place)} />
      <${Controls} ...${{ replay, lines, at, places }} />
      <${Lending} replay=${replay} here=${here} runs=${about.right === "run"} />
      <${Table} lines=${lines} places=${places} />
    </section>`;
}

/** @param {{replay: Replay, lines: Line[], at: number, places: RecordedGame["places"]}} props */
function Controls({ replay, lines, at, places }) {
  const where = say("{at} of {last}", { at, last: places.length - 1 });
  const stands = lines.map(({ name, progress }) => `${name} ${progress[at]}`).join(", ");
  const { hand, words } = places[at];
  const go = (/** @type {Event} */ event) => replay.go(Number(/** @type {HTMLInputElement} */ (event.target).value));
  return html`
    <div class="controls">
      <button id="play" class="plain" type="button" onClick=${() => replay.play(!replay.plays)}>
        ${replay.plays ? say("Pause") : say("Play")}</button>
      <input id="place" type="range" min="0" max=${places.length - 1} step="1" value=${at} onInput=${go}
        aria-label=${say("Place in the game")} aria-valuetext=${`${where}: ${stands}`} />
      <p id="at">${where}</p>
    </div>
    <p id="words" aria-live="polite">${say("Hand {hand}: {words}", { hand, words: words || say("the start.") })}</p>`;
}

/** @param {{replay: Replay, here: boolean, runs: boolean}} props */
function Lending({ replay, here, runs }) {
  const lent = replay.lent ? say("The lamps show it: any press at the table goes back to the running game.") : "";
  const why = here
    ? say("This phone only watches: the lamps stay as they are. Join, on the table's page, lets it in.")
    : say("It was played on another board, so it is only drawn here.");
  return html`
    ${here && runs && html`
      <label class="switch">
        <input id="lend" type="checkbox" role="switch" checked=${replay.lent} onChange=${() => replay.lend(!replay.lent)} />
        ${say("Show it on the board")}
      </label>`}
    <p id="lent">${here && runs ? lent : why}</p>
    <p id="refusal" class="refusal" role="alert">${replay.refusal}</p>`;
}

/** @param {{about: import("../ui/about.js").About, light: {current: any}, shown: boolean}} props */
function Sheet({ about, light, shown }) {
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    drawSheet(/** @type {HTMLElement} */ (place.current), about).then((drawn) => void (light.current = drawn));
  }, []);
  return html`<figure class="sheet" ref=${place} hidden=${!shown}
    aria-label=${say("The printed board; its lamps show this game")} />`;
}

/** @param {{lines: Line[], places: RecordedGame["places"]}} props */
function Table({ lines, places }) {
  const heads = [say("Place"), say("Hand"), ...lines.map(({ name }) => name), say("What happened")];
  return html`
    <details id="told">
      <summary>${say("As a table")}</summary>
      <div class="scroll" role="region" aria-label=${say("The game as a table")} tabindex="0">
        <table>
          <thead><tr>${heads.map((word) => html`<th scope="col">${word}</th>`)}</tr></thead>
          <tbody>${places.map(({ hand, words }, at) => html`
            <tr>
              <th scope="row">${at}</th><td class="figure">${hand}</td>
              ${lines.map(({ progress }) => html`<td class="figure">${progress[at]}</td>`)}
              <td>${words || say("The start.")}</td>
            </tr>`)}</tbody>
        </table>
      </div>
    </details>`;
}
