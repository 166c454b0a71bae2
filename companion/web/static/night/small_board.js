// @ts-check
/**
 * A board in small: its drawing as a picture, and a light on each hole in which a peg glows.
 */

import { request } from "../net/request.js";
import { html, useEffect, useState } from "../vendor/preact.js";

/** Each board's places, fetched once. @type {Map<string, Promise<Api.BoardPlaces | null>>} */
const fetched = new Map();

/** @param {string} board */
async function fetchPlaces(board) {
  const { status, value, refusal } = await request(`/api/boards/${encodeURIComponent(board)}`);
  if (!status) fetched.delete(board);
  return refusal ? null : value;
}

/** @param {string} board */
function placesOf(board) {
  const known = fetched.get(board) ?? fetchPlaces(board);
  fetched.set(board, known);
  return known;
}

/** @param {{board: string, pegs: Api.PegView[]}} props */
export function SmallBoard({ board, pegs }) {
  const [places, setPlaces] = useState(/** @type {Api.BoardPlaces | null} */ (null));
  useEffect(() => void placesOf(board).then(setPlaces), [board]);
  if (!places) return null;
  const { width, height } = places;
  return html`
    <div class="small-board" aria-hidden="true" style=${{ aspectRatio: `${width} / ${height}` }}>
      <img src=${`/boards/${board}.svg`} alt="" />
      <svg viewBox=${`0 0 ${width} ${height}`}>
        ${pegs.map((peg) => html`<${Light} key=${`${peg.lane}${peg.kind}`} peg=${peg} places=${places} />`)}
      </svg>
    </div>`;
}

/** @param {{peg: Api.PegView, places: Api.BoardPlaces}} props */
function Light({ peg, places }) {
  const { lane, hole, kind, colour } = peg;
  const place = places.holes[hole === "0" ? `lamp/start-${lane}` : `${lane}/${hole}`];
  if (!place) return null;
  const [cx, cy] = place;
  return html`
    <g class=${kind} fill=${colour}>
      <circle class="halo" cx=${cx} cy=${cy} r="22" /><circle cx=${cx} cy=${cy} r="9" />
    </g>`;
}
