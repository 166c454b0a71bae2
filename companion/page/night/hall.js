// @ts-check
/**
 * The hall screen, large enough for the last row of the hall. The standings are on the left; boards and seats
 * alternate on the right. The server's `turn` selects the page of a long list, so that all screens show the
 * same page.
 */

import { connectionWords } from "../i18n/labels.js";
import { many, say } from "../i18n/language.js";
import { request } from "../net/request.js";
import { useStore } from "../ui/store.js";
import { html, render, useEffect, useState } from "../vendor/preact.js";
import { NightStore, fetchNightAbout } from "./night_store.js";

/**
 * @typedef {{kind: "boards", boards: Api.BoardView[]}
 *   | {kind: "seats", round: Api.RoundView, pairs: Api.PairView[]}} Sheet
 */

/** Rows of a list on one page if there is a message above. The height of a row is a fixed share of the screen. */
const ROWS = 15;
/** Additional rows if there is no message. */
const MESSAGE_ROWS = 2;
const BOARDS = 4;
/** Largest number of letters of a name in one line, and of a message in the large font. */
const LINE_LENGTH = 26;
const SHORT_MESSAGE = 70;
/** Positions of the holes of each board, fetched only once. @type {Map<string, Promise<Api.BoardPlaces | null>>} */
const fetched = new Map();

const about = await fetchNightAbout();
/** @type {NightStore<"/api/hall/stream">} */
export const store = new NightStore("/api/hall/stream", about.version);

function Screen() {
  useStore(store);
  const { view: hall, turn, connection } = store;
  if (!hall) return html`<p class="waiting" role="status">${say("Looking for the organiser's program")}</p>`;
  const rows = hall.message ? ROWS : ROWS + MESSAGE_ROWS;
  const sheets = sheetsOf(hall, rows);
  return html`
    <${Heading} hall=${hall} connection=${connection} />
    ${hall.message && html`<p class=${hall.message.length > SHORT_MESSAGE ? "message wordy" : "message"} role="status">${hall.message}</p>`}
    <${Standings} standings=${hall.standings} rows=${rows} turn=${turn} />
    ${sheets.length > 0 && html`<${SheetView} sheet=${sheets[turn % sheets.length]} live=${connection.state === "live"} />`}`;
}

/** @param {{hall: Api.HallView, connection: import("../net/stream.js").Connection}} props */
function Heading({ hall, connection }) {
  const { title, round, planned_rounds: planned, games, done, connected } = hall;
  const trouble = connection.state !== "live"
    ? connectionWords({ ...connection, state: "lost" })
    : connected ? "" : say("No connection to the tables, trying again");
  return html`
    <header>
      <h1>${title || say("Game night")}</h1>
      <p class="progress">${round > 0 && say("Round {round} of {planned}", { round, planned })}
        ${round > 0 && html`<span>${many(games, "{done} of {n} game over", "{done} of {n} games over", { done })}</span>`}</p>
      ${trouble && html`<p class="trouble" role="status">${trouble}</p>`}
    </header>`;
}

/** @param {{standings: Api.Place[], rows: number, turn: number}} props */
function Standings({ standings, rows, turn }) {
  const { shown, page, pages } = pageOf(standings, rows, turn);
  return html`
    <section class="standings" aria-label=${say("Standings")}>
      <table>
        <thead><tr>
          <th scope="col" class="rank"><span class="hidden">${say("Rank")}</span></th>
          <th scope="col" class="name">${say("Standings")} ${pages > 1 && `${page + 1}/${pages}`}</th>
          <th scope="col">${say("Points")}</th><th scope="col">${say("Won")}</th><th scope="col">${say("Net")}</th>
        </tr></thead>
        <tbody>${shown.map(({ rank, name, points, won, net, qualifies }) => html`
          <tr key=${name} class=${qualifies && points ? "qualifies" : ""}>
            <td class="rank">${rank}</td><td class=${nameClass(name)}>${name}</td>
            <td class="points">${points}</td><td>${won}</td><td>${signed(net)}</td>
          </tr>`)}</tbody>
      </table>
    </section>`;
}

/** @param {{sheet: Sheet, live: boolean}} props */
function SheetView({ sheet, live }) {
  if (sheet.kind === "seats") return html`<${Seats} ...${sheet} />`;
  return html`
    <section class="boards" aria-label=${say("Boards")}>
      ${sheet.boards.map((board) => html`<${Table} key=${board.table} board=${board} live=${live} />`)}
    </section>`;
}

/** @param {{board: Api.BoardView, live: boolean}} props */
function Table({ board, live }) {
  const { table, names, lit, online, winner, spread } = board;
  const on = live && (online || !lit);
  const colours = names.map((_, at) => board.pegs.find(({ lane }) => lane === `${at + 1}`)?.colour);
  return html`
    <article class="table" data-on=${`${on}`}>
      <h2>${say("Table {table}", { table })}${!on && html` <em>${say("no connection")}</em>`}</h2>
      ${board.board && html`<${SmallBoard} board=${board.board} pegs=${board.pegs} />`}
      ${names.map((name, at) => html`
        <p key=${at} class=${winner === name ? "player won" : "player"} style=${{ "--side": colours[at] ?? "#c9a25e" }}>
          <span class=${nameClass(name)}>${name}</span>
          <span class="hole">${winner === name ? `+${spread}` : holeOf(board, at)}</span>
        </p>`)}
    </article>`;
}

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

/** Small drawing of a board, with a light at each peg. @param {{board: string, pegs: Api.PegView[]}} props */
function SmallBoard({ board, pegs }) {
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

/** @param {{round: Api.RoundView, pairs: Api.PairView[]}} props */
function Seats({ round, pairs }) {
  const last = pairs.at(-1) === round.pairs.at(-1);
  return html`
    <section class="seats" aria-label=${say("Seats")}>
      <table>
        <thead><tr><th scope="col">${say("Table")}</th><th scope="col" colspan="2">${say("Round {round}: take your seats", { round: round.number })}</th></tr></thead>
        <tbody>
          ${pairs.map(({ table, names }) => html`
            <tr key=${table}><td class="number">${table}</td><td class=${nameClass(names[0])}>${names[0]}</td><td class=${nameClass(names[1])}>${names[1]}</td></tr>`)}
          ${last && round.bye && html`<tr><td></td><td colspan="2">${say("{name} sits out", { name: round.bye })}</td></tr>`}
        </tbody>
      </table>
    </section>`;
}

/**
 * Return the sheets that alternate on the right: the seats of a round that has not begun, and the boards.
 *
 * @param {Api.HallView} hall
 * @param {number} rows on a page
 * @returns {Sheet[]}
 */
function sheetsOf({ boards, games, done, seats, next }, rows) {
  const begun = boards.some(({ status }) => status !== "waiting");
  const over = games === done;
  /** @type {Sheet[]} */
  const sheets = [];
  if (seats && !begun) sheets.push(...seatSheets(seats, rows - 1));
  else if (next && (over || !seats)) sheets.push(...seatSheets(next, rows - 1));
  const lit = boards.filter(({ board }) => board);
  for (let first = 0; first < lit.length; first += BOARDS) {
    sheets.push({ kind: "boards", boards: lit.slice(first, first + BOARDS) });
  }
  if (next && begun && !over) sheets.push(...seatSheets(next, rows - 1));
  return sheets;
}

/**
 * @param {Api.RoundView} round
 * @param {number} size pairs on one page; one further row is free for the entrant without a game
 * @returns {Sheet[]}
 */
function seatSheets(round, size) {
  /** @type {Sheet[]} */
  const sheets = [];
  for (let first = 0; first < round.pairs.length; first += size) {
    sheets.push({ kind: "seats", round, pairs: round.pairs.slice(first, first + size) });
  }
  return sheets;
}

/**
 * Return the rows of the current page.
 *
 * @template Row
 * @param {Row[]} all
 * @param {number} size
 * @param {number} turn
 */
function pageOf(all, size, turn) {
  const pages = Math.max(1, Math.ceil(all.length / size));
  const page = turn % pages;
  return { shown: all.slice(page * size, (page + 1) * size), page, pages };
}

/** @param {Api.BoardView} board @param {number} at index of the side in the pair */
function holeOf({ pegs }, at) {
  const front = pegs.find(({ lane, kind }) => lane === `${at + 1}` && kind === "front");
  return front?.hole.includes(":") ? "↷" : front?.hole ?? "";
}

/** Return the CSS classes of a name. A long name is shown in two lines. @param {string} name */
function nameClass(name) {
  return name.length > LINE_LENGTH ? "name long" : "name";
}

/** @param {number} number */
function signed(number) {
  return number > 0 ? `+${number}` : `${number}`.replace("-", "−");
}

render(html`<${Screen} />`, /** @type {HTMLElement} */ (document.getElementById("hall")));
