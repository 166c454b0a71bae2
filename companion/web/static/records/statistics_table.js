// @ts-check
/**
 * Table of statistics: a row for each figure, a column for each side or name.
 */

import { facts } from "../ui/about.js";
import { many, say } from "../i18n/language.js";
import { html } from "../vendor/preact.js";

/**
 * @typedef {{label: string, colour: string, statistics: Api.SideTotals}} Column
 */

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
  [say("Pegging a deal"), ({ averages }) => decimal(averages.pegging)],
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

/** @param {{caption: string, columns: Column[]}} props */
export function StatisticsTable({ caption, columns }) {
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
  return streak ? say("{most}, just now {streak}", { most, streak }) : `${most}`;
}

/** @param {Api.Skunks} skunks */
function skunkWords({ given, taken }) {
  return given || taken ? say("{given} given, {taken} taken", { given, taken }) : NONE;
}

/** @param {number | null | undefined} value */
function decimal(value) {
  return value === null || value === undefined ? NONE : value.toLocaleString(document.documentElement.lang, ONE_DIGIT);
}

/**
 * @param {Api.Feat | null} feat
 * @param {string} sign
 */
function featWords(feat, sign) {
  if (!feat) return NONE;
  const { holes, game } = feat;
  return many(holes, "{sign}{n} hole, game {game}", "{sign}{n} holes, game {game}", { sign, game });
}
