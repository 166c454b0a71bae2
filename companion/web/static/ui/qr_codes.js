// @ts-check
/** QR codes of the addresses of the table's pages. */

import { html } from "../vendor/preact.js";

/**
 * @param {{query?: string, words: string}} props `query`: of the address of a side's pad or a hand, "" for
 *   the board's page; `words`: alternative text
 */
export function QrCode({ query = "", words }) {
  return html`<img class="code" src=${`/qr.svg${query && `?${query}`}`} alt=${words} />`;
}
