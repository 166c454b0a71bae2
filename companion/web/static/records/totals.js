// @ts-check
/**
 * Statistics of all games and the matches that they make.
 */

import { many, say } from "../i18n/language.js";
import { html } from "../vendor/preact.js";
import { matchLine } from "./game_labels.js";
import { StatisticsTable } from "./statistics_table.js";

/** Colour of a name that is of no side. */
const PLAIN = "#d9c9a8";

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
