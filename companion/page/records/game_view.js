// @ts-check
/** View of one recorded game: the board, the race and the log. All three show the same place of the game. */

import { many, percents, say } from "../i18n/language.js";
import { Select, Switch, valueOf } from "../ui/forms.js";
import { useStore } from "../ui/store.js";
import { html, useEffect, useRef } from "../vendor/preact.js";
import { Chart } from "./chart.js";
import { PLAIN, chartWords, dateWords, endWords, nameOf } from "./game_labels.js";
import { SPEEDS } from "./replay.js";

/** @typedef {import("./replay.js").Replay} Replay */
/** @typedef {import("./chart.js").Line} Line */

/**
 * @param {{recorded: Api.GameTimeline, at: number, replay: Replay, labels: Record<string, Api.SideLabel>,
 *   runs: boolean}} props `at`: place at which the game is opened
 */
export function GameView({ recorded, at: first, replay, labels, runs }) {
  useStore(replay);
  const { game, places, progress, win_chances: chances, here } = recorded;
  const title = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    replay.open(game.number, places.length - 1, first);
    title.current?.focus({ preventScroll: true });
    title.current?.scrollIntoView({ block: "start" });
  }, [recorded]);
  const at = replay.game === game.number ? Math.min(replay.at, places.length - 1) : first;
  const go = (/** @type {number} */ place) => replay.go(place);
  const lines = Object.keys(game.sides).map((side) => ({
    side, name: nameOf(game, side, labels), colour: labels[side]?.colour ?? PLAIN, progress: progress[side], chances: chances[side],
  }));
  const shares = percents(Object.fromEntries(lines.map(({ side, chances: all }) => [side, all[at]])));
  const facts = [
    dateWords(game.begun), game.title,
    many(game.counts, "{n} count", "{n} counts"), many(game.hands, "{n} hand", "{n} hands"),
  ];
  return html`
    <section id="game" aria-labelledby="game-title">
      <h2 id="game-title" tabindex="-1" ref=${title}>
        ${say("Game {number}: {end}", { number: game.number, end: endWords(game, labels) })}
      </h2>
      <p id="when">${facts.join(", ")}</p>
      <${ReplayBoard} ...${{ recorded, lines, at }} />
      <p id="words" aria-live="polite">${wordsAt(places[at])}</p>
      <ul id="chances">${lines.map(({ side, name, colour, progress: holes }) => html`
        <li class="name" style=${{ "--side": colour }}>${say("{name} {hole}, wins {chance}", { name, hole: holes[at], chance: shares[side] })}</li>`)}</ul>
      <${Controls} ...${{ replay, lines, at, places }} />
      <${Lending} ...${{ replay, here, runs }} />
      <${Chart} ...${{ lines, places, at, go }} finish=${game.finish} title=${chartWords(game, labels)} />
      <${Steps} ...${{ lines, places, at, go }} />
    </section>`;
}

/** Board of the game with its pegs at a place. @param {{recorded: Api.GameTimeline, lines: Line[], at: number}} props */
function ReplayBoard({ recorded, lines, at }) {
  const { game, width_mm: width, height_mm: height, pegs } = recorded;
  return html`
    <figure class="replayed" style=${{ "--aspect": width / height }}>
      <img src=${`/api/games/${game.number}/board.svg`} alt=${say("The board, {title}", { title: game.title })} />
      <svg viewBox=${`0 0 ${width} ${height}`} aria-hidden="true">
        ${lines.map(({ side, colour }) => html`
          <${Peg} class="back" at=${pegs[side][at].back} colour=${colour} />
          <${Peg} class="front" at=${pegs[side][at].front} colour=${colour} />`)}
      </svg>
    </figure>`;
}

/** @param {{class: string, at: [number, number], colour: string}} props */
function Peg({ class: name, at: [x, y], colour }) {
  return html`<circle class=${name} r=${name === "front" ? 4.2 : 3} fill=${colour}
    style=${{ transform: `translate(${x}px, ${y}px)` }} />`;
}

/** @param {Api.TimelineEntry} place */
function wordsAt({ hand, words }) {
  return say("Hand {hand}: {words}", { hand, words: words || say("the start.") });
}

/** @param {{replay: Replay, lines: Line[], at: number, places: Api.TimelineEntry[]}} props */
function Controls({ replay, lines, at, places }) {
  const where = say("{at} of {last}", { at, last: places.length - 1 });
  const stands = lines.map(({ name, progress }) => `${name} ${progress[at]}`).join(", ");
  const isEnd = (/** @type {number} */ place) => place === 0 || place === places.length - 1;
  const events = places.flatMap(({ notable }, place) => (notable || isEnd(place) ? [place] : []));
  const before = events.filter((place) => place < at).at(-1) ?? null;
  const next = events.find((place) => place > at) ?? null;
  const go = (/** @type {Event} */ event) => replay.go(Number(valueOf(event)));
  return html`
    <div class="controls">
      <${Jump} words=${say("Event before")} to=${before} replay=${replay} />
      <button id="play" class="plain" type="button" onClick=${() => replay.play(!replay.plays)}>
        ${replay.plays ? say("Pause") : say("Play")}</button>
      <${Jump} words=${say("Next event")} to=${next} replay=${replay} />
      <${Select} label=${say("Speed")} value=${replay.speed} options=${SPEEDS.map((speed) => [speed, `${speed} ×`])}
        set=${(/** @type {string} */ speed) => replay.setSpeed(Number(speed))} />
      <input id="place" type="range" min="0" max=${places.length - 1} step="1" value=${at} onInput=${go}
        aria-label=${say("Place in the game")} aria-valuetext=${`${where}: ${stands}`} />
      <p id="at">${where}</p>
    </div>`;
}

/** @param {{words: string, to: number | null, replay: Replay}} props `to`: place, null if there is none */
function Jump({ words, to, replay }) {
  return html`<button class="plain" type="button" disabled=${to === null} title=${to === null ? say("There is no other") : null}
    onClick=${() => to !== null && replay.go(to)}>${words}</button>`;
}

/** @param {{replay: Replay, here: boolean, runs: boolean}} props */
function Lending({ replay, here, runs }) {
  const lent = replay.lent ? say("The lamps show it: any press at the table goes back to the running game.") : "";
  const why = here
    ? say("This phone only watches: the lamps stay as they are. Join, on the table's page, lets it in.")
    : say("It was played on another board, so it is only drawn here.");
  return html`
    ${here && runs && html`
      <${Switch} id="lend" words=${say("Show it on the board")} on=${replay.lent} set=${(/** @type {boolean} */ on) => replay.lend(on)} />`}
    <p id="lent">${here && runs ? lent : why}</p>
    <p id="refusal" class="refusal" role="alert">${replay.refusal}</p>`;
}

/**
 * Log of the game as a table. A tap on a row goes to the place of the row.
 *
 * @param {{lines: Line[], places: Api.TimelineEntry[], at: number, go: (at: number) => void}} props
 */
function Steps({ lines, places, at, go }) {
  const heads = [say("Place"), say("Hand"), ...lines.map(({ name }) => name), say("What happened")];
  const table = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    const row = /** @type {HTMLElement | null} */ (table.current?.querySelector("[aria-current]"));
    if (row && table.current) table.current.scrollTop = row.offsetTop - table.current.clientHeight / 2;
  }, [at]);
  return html`
    <div id="steps" class="scroll" role="region" aria-label=${say("The log of the game")} tabindex="0" ref=${table}>
      <table>
        <thead><tr>${heads.map((word) => html`<th scope="col">${word}</th>`)}</tr></thead>
        <tbody>${places.map(({ hand, words }, place) => html`
          <tr key=${place} onClick=${() => go(place)} aria-current=${place === at ? "step" : null}>
            <th scope="row"><button class="plain" type="button" aria-label=${say("Go to place {place}", { place })}>${place}</button></th>
            <td class="figure">${hand}</td>
            ${lines.map(({ progress }) => html`<td class="figure">${progress[place]}</td>`)}
            <td>${words || say("The start.")}</td>
          </tr>`)}</tbody>
      </table>
    </div>`;
}
