// @ts-check
/**
 * Statistics of all games, and the list of matches. A table has a row for each figure and a column for each
 * side or name.
 */

import { facts } from "../ui/about.js";
import { many, say } from "../i18n/language.js";
import { html } from "../vendor/preact.js";
import { PLAIN, matchLine } from "./game_labels.js";

/** @typedef {{label: string, colour: string, statistics: Api.SideTotals}} Column */
const NONE = "–";
const ONE_DIGIT = { minimumFractionDigits: 1, maximumFractionDigits: 1, useGrouping: false };

/** @returns {[string, (statistics: Api.SideTotals) => string][]} */
const rows = () => [
  [say("Games played"), ({ played }) => `${played}`],
  [say("Games won"), wonWords],
  [say("Most won in a row"), streakWords],
  [say("Skunks"), ({ skunks }) => skunkWords(skunks)],
  [say("Double skunks"), ({ double_skunks: skunks }) => skunkWords(skunks)],
  [say("Holes a game"), ({ holes }) => decimal(holes)],
  [say("Average count"), ({ average_count: average }) => decimal(average)],
  [say("Largest count"), ({ largest_count: largest }) => `${largest}`],
  [say("Average hand"), ({ averages }) => decimal(averages.hand)],
  [say("Average crib"), ({ averages }) => decimal(averages.crib)],
  [say("Average pegging"), ({ averages }) => decimal(averages.pegging)],
  ...Object.entries(facts.zone_kinds).map(([kind, { statistic }]) => zoneRow(statistic, kind)),
  [say("Twenties received"), ({ awards }) => `${awards}`],
  [say("Best swing"), ({ best_swing: feat }) => featWords(feat, "+")],
  [say("Worst swing"), ({ worst_swing: feat }) => featWords(feat, "")],
  [say("Greatest comeback"), ({ comeback }) => featWords(comeback, "")],
  [say("Points for penalties"), ({ penalty_points: points }) => `${points}`],
  [say("Points by muggins"), ({ muggins_points: points }) => `${points}`],
];

/** @param {string} label @param {string} kind @returns {[string, (statistics: Api.SideTotals) => string]} */
const zoneRow = (label, kind) => [label, ({ zones }) => decimal(zones[kind])];

/**
 * @param {{totals: Api.Statistics | null,
 *   matches: Api.MatchRecord[], labels: Record<string, Api.SideLabel>}} props
 */
export function Statistics({ totals, matches, labels }) {
  const { games, sides, names } = totals ?? { games: 0, sides: {}, names: {} };
  const bySide = Object.entries(sides).map(([side, statistics]) => ({
    label: labels[side]?.name ?? say("Side {side}", { side }),
    colour: labels[side]?.colour ?? PLAIN,
    statistics,
  }));
  const byName = Object.entries(names).map(([label, statistics]) => ({ label, colour: PLAIN, statistics }));
  const of = games
    ? many(games, "Of {n} game played to the end.", "Of {n} games played to the end.")
    : say("No game has been won yet.");
  return html`
    <section id="statistics" aria-labelledby="statistics-title">
      <h2 id="statistics-title">${say("Statistics")}</h2>
      <p id="of">${totals && of}</p>
      <ol id="matches" aria-label=${say("Matches")}>
        ${matches.map((match) => html`<li>${matchLine(match, labels)}</li>`)}
      </ol>
      <div id="tallies">
        ${bySide.length > 0 && html`<${StatisticsTable} caption=${say("By side")} columns=${bySide} />`}
        ${byName.length > 0 && html`<${StatisticsTable} caption=${say("By name")} columns=${byName} />`}
      </div>
      <p id="unknown" hidden=${!bySide.length}>${say("Hand, crib and pegging are known only for games whose cards were dealt here: a press on a button does not say what it counts.")}</p>
    </section>`;
}

/** @param {{caption: string, columns: Column[]}} props */
function StatisticsTable({ caption, columns }) {
  return html`
    <div class="scroll" role="region" aria-label=${caption} tabindex="0">
      <table>
        <caption>${caption}</caption>
        <thead><tr>
          <td></td>
          ${columns.map(({ label, colour }) => html`
            <th scope="col" class="name" style=${{ "--side": colour }}>${label}</th>`)}
        </tr></thead>
        <tbody>${rows().map(([label, words]) => html`
          <tr>
            <th scope="row">${label}</th>
            ${columns.map(({ statistics }) => html`<td class="figure">${words(statistics)}</td>`)}
          </tr>`)}</tbody>
      </table>
    </div>`;
}

/** @param {Api.SideTotals} statistics */
function wonWords({ won, worth }) {
  return worth > won ? say("{won}, counted as {worth}", { won, worth }) : `${won}`;
}

/** @param {Api.SideTotals} statistics */
function streakWords({ longest_streak: most, streak }) {
  return streak ? say("{most}, now {streak}", { most, streak }) : `${most}`;
}

/** @param {Api.Skunks} skunks */
function skunkWords({ given, taken }) {
  return given || taken ? say("{given} given, {taken} taken", { given, taken }) : NONE;
}

/** @param {number | null | undefined} value */
function decimal(value) {
  return value === null || value === undefined ? NONE : value.toLocaleString(document.documentElement.lang, ONE_DIGIT);
}

/** @param {Api.Feat | null} feat @param {string} sign */
function featWords(feat, sign) {
  if (!feat) return NONE;
  const { holes, game } = feat;
  return many(holes, "{sign}{n} hole, game {game}", "{sign}{n} holes, game {game}", { sign, game });
}
