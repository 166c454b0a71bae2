// @ts-check
/** Labels of recorded games and matches. */

import { locale, say } from "../i18n/language.js";

/** Colour of a side that does not play at this table. */
export const PLAIN = "#d9c9a8";

/**
 * @param {Api.RecordedGame} game
 * @param {string} side
 * @param {Record<string, Api.SideLabel>} labels
 */
export function nameOf({ sides }, side, labels) {
  return sides[side].name ?? labels[side]?.name ?? say("Side {side}", { side });
}

/** @param {Api.RecordedGame} game @param {Record<string, Api.SideLabel>} labels */
export function endWords(game, labels) {
  if (game.winner !== null) {
    const values = { name: nameOf(game, `${game.winner}`, labels), worth: game.worth };
    return (game.worth ?? 1) > 1
      ? say("{name} won, for {worth} games", values)
      : say("{name} won", values);
  }
  return game.standing === "running" ? say("running") : say("not played to its end");
}

/** Kept, because creating a formatter takes as long as drawing a row. @type {Intl.DateTimeFormat | null} */
let dates = null;

/** @param {number} seconds since the epoch */
export function dateWords(seconds) {
  dates ??= new Intl.DateTimeFormat(locale(), { dateStyle: "medium", timeStyle: "short" });
  return dates.format(1000 * seconds);
}

/** @param {Api.RecordedGame} game @param {Record<string, Api.SideLabel>} labels */
export function chartWords(game, labels) {
  const ends = Object.entries(game.sides).map(([side, { progress }]) => `${nameOf(game, side, labels)} ${progress}`);
  const values = { number: game.number, ends: ends.join(", ") };
  return say("The race of game {number}, hole by count; at its end {ends}. As a table below.", values);
}

/** @param {Api.MatchRecord} match @param {Record<string, Api.SideLabel>} labels */
export function matchLine({ number, games, to, score, names, winner: won }, labels) {
  /** @param {string} side */
  const name = (side) => names[side] ?? labels[side]?.name ?? say("Side {side}", { side });
  const values = { number, to, first: games[0], last: games.at(-1) };
  const which = games.length === 1
    ? say("Match {number}, game {first}", values)
    : say("Match {number}, games {first} to {last}", values);
  const match = to === null ? which : say("{which}, first to {to}", { which, to });
  const stands = Object.keys(score).map((side) => `${name(side)} ${score[side]}`).join(", ");
  return won === null
    ? say("{match}: {stands}.", { match, stands })
    : say("{match}: {stands}; {name} won it.", { match, stands, name: name(`${won}`) });
}
