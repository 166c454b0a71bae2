// @ts-check
/**
 * Positions of the sides, a line each: front peg, pending count, and the chance to win if it is given.
 */

import { onPath } from "../i18n/labels.js";
import { say } from "../i18n/language.js";
import { html } from "../vendor/preact.js";

/**
 * @param {{sides: string[], table: Api.TableResponse, labels: Record<string, Api.SideLabel>,
 *   chances?: Record<string, string> | null}} props
 *   `sides`: those shown, in this order
 */
export function Positions({ sides, table, labels, chances }) {
  return sides.map((side) => {
    const { front, pending } = table.teams[side];
    const { name, colour } = labels[side];
    return html`
      <li key=${side} style=${{ "--side": colour }}>
        <span class="name">${name}</span>${" "}<span class="hole">${onPath(front)?.short ?? front}</span>${" "}
        ${chances?.[side] && html`<span class="chance" title=${say("Chance to win")}>${chances[side]}</span>`}
        <span class="more">${pending ? `+${pending}` : ""}</span>
      </li>`;
  });
}
