// @ts-check
/**
 * Positions of the sides, a line each: front peg, pending count, and the chance to win if it is given.
 */

import { onPath } from "../i18n/labels.js";
import { say } from "../i18n/language.js";
import { html } from "../vendor/preact.js";

/**
 * @param {{sides: string[], table: Api.TableResponse, teams: Record<string, Api.SideLabel>,
 *   chances?: Record<string, string> | null}} props
 *   `sides`: those shown, in this order
 */
export function Positions({ sides, table, teams, chances }) {
  return sides.map((team) => {
    const { front, pending } = table.teams[team];
    const { name, colour } = teams[team];
    return html`
      <li key=${team} style=${{ "--team": colour }}>
        <span class="name">${name}</span>${" "}<span class="hole">${onPath(front)?.short ?? front}</span>${" "}
        ${chances?.[team] && html`<span class="chance" title=${say("Chance to win")}>${chances[team]}</span>`}
        <span class="more">${pending ? `+${pending}` : ""}</span>
      </li>`;
  });
}
