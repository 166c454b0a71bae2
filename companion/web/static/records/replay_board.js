// @ts-check
/**
 * The board on which a recorded game was played, with the pegs as they stood.
 */

import { say } from "../i18n/language.js";
import { html } from "../vendor/preact.js";

/** @param {{recorded: Api.GameTimeline, lines: import("./chart.js").Line[], at: number}} props */
export function ReplayBoard({ recorded, lines, at }) {
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
