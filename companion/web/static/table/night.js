// @ts-check
/**
 * The table's place in a game night, in words.
 */

import { say } from "../i18n/language.js";

/**
 * Return who plays here, what is to be done, and the organiser's line; "" without a night.
 *
 * @param {Api.NightStanding | null} night
 * @param {Record<string, Api.SideLabel>} teams
 */
export function nightWords(night, teams) {
  if (!night) return "";
  const lost = night.connected ? "" : say("The game night's broker does not answer: play on, results are sent later.");
  const confirmed = night.confirmed.length && !night.awaited.length ? say("The result is confirmed.") : "";
  return [pairWords(night, teams), confirmed || confirmWords(night, teams), night.message, lost].filter(Boolean).join(" ");
}

/**
 * @param {Api.NightStanding} night
 * @param {Record<string, Api.SideLabel>} teams
 */
function pairWords({ round, table, names }, teams) {
  if (!round) return say("Table {table} of the game night: no game in this round.", { table });
  const [one, other] = Object.entries(names).map(([team, name]) => `${name} (${teams[team].name})`);
  return say("Round {round}, table {table}: {one} – {other}.", { round, table, one, other });
}

/**
 * Return which sides are to confirm the result; "" without any.
 *
 * @param {Api.NightStanding} night
 * @param {Record<string, Api.SideLabel>} teams
 */
export function confirmWords({ awaited }, teams) {
  const [one, other] = awaited.map((team) => teams[team].name);
  if (other) return say("{one} and {other}, press Enter to confirm the result.", { one, other });
  if (one) return say("{one}, press Enter to confirm the result.", { one });
  return "";
}
