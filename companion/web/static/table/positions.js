// @ts-check
/**
 * Positions of the sides, a line each: front peg and pending count.
 */

import { onPath } from "../i18n/labels.js";
import { html } from "../vendor/preact.js";

/**
 * @param {{sides: string[], table: import("../i18n/labels.js").Table, teams: import("../i18n/labels.js").Teams}} props
 *   `sides`: those shown, in this order
 */
export function Positions({ sides, table, teams }) {
  return sides.map((team) => {
    const { front, pending } = table.teams[team];
    const { name, colour } = teams[team];
    return html`
      <li key=${team} style=${{ "--team": colour }}>
        <span class="name">${name}</span>${" "}<span class="hole">${onPath(front)?.short ?? front}</span>${" "}
        <span class="more">${pending ? `+${pending}` : ""}</span>
      </li>`;
  });
}
