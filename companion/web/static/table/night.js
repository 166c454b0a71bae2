// @ts-check
/**
 * The table's place in a game night, in words.
 */

import { say } from "../i18n/language.js";

/**
 * Return who plays here, what is to be done, and the organiser's line; "" without a night.
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

/**
 * @param {Api.NightStanding} night
 * @param {Record<string, Api.SideLabel>} labels
 */
function pairWords({ round, table, names }, labels) {
  if (!round) return say("Table {table} of the game night: no game in this round.", { table });
  const [one, other] = Object.entries(names).map(([side, name]) => `${name} (${labels[side].name})`);
  return say("Round {round}, table {table}: {one} – {other}.", { round, table, one, other });
}

/**
 * Return which sides are to confirm the result; "" without any.
 *
 * @param {Api.NightStanding} night
 * @param {Record<string, Api.SideLabel>} labels
 */
export function confirmWords({ awaited }, labels) {
  const [one, other] = awaited.map((side) => labels[side].name);
  if (other) return say("{one} and {other}, press Enter to confirm the result.", { one, other });
  if (one) return say("{one}, press Enter to confirm the result.", { one });
  return "";
}
