// @ts-check
/** Texts about the current state: dealer, standing of each side, mode of the table, game night. */

import { many, percents, say } from "../i18n/language.js";
import { onPath } from "../i18n/labels.js";
import { html } from "../vendor/preact.js";

/** @typedef {{head: string, below: string, side?: string}} Banner */

/**
 * Return the number of the hand and its dealer, with the seat if a side has several.
 *
 * @param {Api.TableResponse} table
 * @param {Record<string, Api.SideLabel>} labels
 */
export function handWords(table, labels) {
  const { hand, dealer } = table;
  const { name } = labels[dealing(table)];
  return dealer > Object.keys(table.teams).length
    ? say("Hand {hand}, {name} deals, seat {dealer}", { hand, name, dealer })
    : say("Hand {hand}, {name} deals", { hand, name });
}

/**
 * Return the text of `handWords`, with a note if the crib belongs to the given side.
 *
 * @param {Api.TableResponse} table
 * @param {Record<string, Api.SideLabel>} labels
 * @param {string} side
 */
export function ownHandWords(table, labels, side) {
  const hand = handWords(table, labels);
  return dealing(table) === side ? say("{hand}, your crib", { hand }) : hand;
}

/** Return the side that deals and owns the crib. @param {Api.TableResponse} table */
function dealing({ dealer, teams: sides }) {
  const order = Object.keys(sides);
  return order[(dealer - 1) % order.length];
}

/**
 * Return the state of a side in words: its path, box or fold.
 *
 * @param {Api.SideResponse} side
 * @param {Api.BoxNews | undefined} box
 */
export function sideWords(side, box) {
  const folded = side.folded ? say("folded until the next deal") : "";
  return [onPath(side.front)?.where, boxWords(side.boxed, box) || folded].filter(Boolean).join(", ");
}

/** @param {number} boxed number of hands to sit, from the state of the side @param {Api.BoxNews | undefined} box */
function boxWords(boxed, box) {
  const hands = box?.hands ?? boxed;
  if (!hands) return box ? say("free from the next deal") : "";
  const sits = many(hands, "boxed, {n} hand to sit", "boxed, {n} hands to sit");
  return box?.may_move ? say("{sits}: press Enter to move", { sits }) : sits;
}

/**
 * Return the banner over the board, or null. The mode of the table has priority over the winner.
 *
 * @param {Pick<Api.TableNews, "mode" | "table" | "match" | "night">} news
 * @param {Record<string, Api.SideLabel>} labels
 * @returns {Banner | null}
 */
export function bannerWords({ mode, table: { winner }, match, night }, labels) {
  if (mode?.state === "sign-up") return signUpWords(mode, labels);
  if (mode?.state === "show") return { head: "", below: say("The board shows off: any press wakes it") };
  if (mode?.state === "tour") return { head: say("Tour of the lights"), below: mode.line };
  if (mode?.state === "button-test") return { head: "", below: say("Test of buttons and lamps: Mode ends it") };
  if (mode?.state === "replay") {
    return { head: "", below: say("Game {game} again, {at} of {of}: any press goes back to the running game", { ...mode }) };
  }
  if (mode?.state === "lights") return { head: "", below: say("The lights are being set up: any press ends that") };
  if (mode?.state === "asleep") return { head: "", below: say("Asleep: any press wakes it") };
  if (winner === null) return null;
  const { name } = labels[`${winner}`];
  const [head, below] =
    match.winner === null
      ? [say("{name} wins", { name }), say("Deal starts the next game, Undo takes the win back")]
      : [say("{name} wins the match", { name }), say("Deal starts a new match, Undo takes the win back")];
  return { head, below: (night && confirmWords(night, labels)) || below, side: `${winner}` };
}

/** @param {Api.SignUpMode} mode @param {Record<string, Api.SideLabel>} labels */
function signUpWords({ joined, people, joining, preset, presets, words }, labels) {
  const names = joined
    .map((side) => (people[`${side}`] > 1 ? `${labels[`${side}`].name} (${people[`${side}`]})` : labels[`${side}`].name))
    .join(", ");
  const keys = joining ? say("Enter joins, +1 adds a person, Deal starts, Undo calls it off") : say("Deal starts it, +1 adds a person");
  const rules = preset ? say("Rules: {preset}; +5 changes them", { preset: words || preset }) : say("Rules of the settings; +5 changes them");
  return {
    head: names ? say("New game: {names}", { names }) : say("New game"),
    below: presets.length > 1 ? `${keys}. ${rules}` : keys,
  };
}

/**
 * Return the sides' chances to win in percent, or null if no running game is shown.
 *
 * @param {Api.TableNews | null | undefined} news
 */
export function chancesOf(news) {
  return news?.win_chances && !news.demo && news.table.winner === null ? percents(news.win_chances) : null;
}

/**
 * Return a text with the players, the next step and the organiser's message; "" without a game night.
 *
 * @param {Api.NightStanding | null} night
 * @param {Record<string, Api.SideLabel>} labels
 */
export function nightWords(night, labels) {
  if (!night) return "";
  const lost = night.connected ? "" : say("The game night's broker does not answer: play on, results are sent later.");
  const confirmed = night.confirmed.length && !night.awaited.length ? say("The result is confirmed.") : "";
  return [pairWords(night, labels), confirmed || confirmWords(night, labels), night.message, lost].filter(Boolean).join(" ");
}

/** @param {Api.NightStanding} night @param {Record<string, Api.SideLabel>} labels */
function pairWords({ round, table, names }, labels) {
  if (!round) return say("Table {table} of the game night: no game in this round.", { table });
  const [one, other] = Object.entries(names).map(([side, name]) => `${name} (${labels[side].name})`);
  return say("Round {round}, table {table}: {one} – {other}.", { round, table, one, other });
}

/**
 * Return a request to the sides that have not confirmed the result; "" if no side has to.
 *
 * @param {Api.NightStanding} night
 * @param {Record<string, Api.SideLabel>} labels
 */
function confirmWords({ awaited }, labels) {
  const [one, other] = awaited.map((side) => labels[side].name);
  if (other) return say("{one} and {other}, press Enter to confirm the result.", { one, other });
  if (one) return say("{one}, press Enter to confirm the result.", { one });
  return "";
}

/**
 * Positions of the sides, one line each: the front peg, the pending or newest count, and the chance to win if given.
 *
 * @param {{sides: string[], table: Api.TableResponse, labels: Record<string, Api.SideLabel>,
 *   chances?: Record<string, string> | null, newest?: Api.DemoCommand | null}} props
 *   `sides`: sides to show, in this order; `newest`: the newest entry
 */
export function Positions({ sides, table, labels, chances, newest }) {
  return sides.map((side) => {
    const { front, pending } = table.teams[side];
    const { name, colour } = labels[side];
    const path = onPath(front);
    return html`
      <li key=${side} style=${{ "--side": colour, "--letters": name.length, "--word": longestWord(name) }}>
        <span class="name">${name}</span>${" "}<span class=${path ? "hole path" : "hole"}>${path?.short ?? front}</span>${" "}
        ${chances?.[side] && html`<span class="chance" title=${say("Chance to win")}>${chances[side]}</span>`}
        ${pending ? html`<span class="more">+${pending}</span>` : html`<${Gain} side=${side} newest=${newest} />`}
      </li>`;
  });
}

/** Return the number of letters of the longest word. @param {string} text */
export function longestWord(text) {
  return Math.max(...text.split(" ").map((word) => word.length));
}

/** Points of the newest count, if it is of the side; they fade. @param {{side: string, newest?: Api.DemoCommand | null}} props */
export function Gain({ side, newest }) {
  const count = newest?.events.find((event) => event.kind === "counted" && `${event.team}` === side);
  return count && html`<span key=${newest?.seq} class="gain">+${count.points}</span>`;
}
