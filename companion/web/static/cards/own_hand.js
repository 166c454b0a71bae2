// @ts-check
/** Link from the board's page to the hand of cards that this device can open. */

import { say } from "../i18n/language.js";
import { request } from "../net/request.js";
import { HAND_PATH, OWN_HAND, recall } from "../net/storage.js";
import { openDealing } from "../table/tools.js";
import { html, useEffect, useState } from "../vendor/preact.js";

/**
 * Link to the hand that was opened on this device. Without one, a page that runs the table has a link to the only
 * hand, or a button that opens the dialog with all hands.
 *
 * @param {{page: import("../table/page_store.js").PageStore}} props
 */
export function OwnHand({ page }) {
  const { session, seats } = page.news?.cards ?? { session: 0, seats: {} };
  const runs = page.about.right === "run";
  const [path, setPath] = useState("");
  const persons = Object.values(seats).filter((kind) => kind === "person").length;
  useEffect(() => {
    let isCurrent = true;
    setPath("");
    if (session) findHand(runs && persons === 1).then((found) => isCurrent && setPath(found));
    return () => void (isCurrent = false);
  }, [session]);
  if (path) return html`<a id="own-hand" class="plain" href=${path}>${say("Your hand")}</a>`;
  if (!runs || persons < 2) return null;
  return html`
    <button id="own-hand" class="plain" type="button" aria-haspopup="dialog" onClick=${() => openDealing(page, false)}>
      ${say("The hands")}</button>`;
}

/**
 * Return the path of the hand that was opened on this device and is still played, otherwise of the only hand.
 *
 * @param {boolean} isOnly true if there is only one hand and this page can open it
 */
async function findHand(isOnly) {
  const stored = recall(OWN_HAND) ?? "";
  const token = stored.startsWith(HAND_PATH) && stored.slice(HAND_PATH.length);
  if (token && !(await request(`/api/cards/${token}`)).refusal) return stored;
  if (!isOnly) return "";
  const { value } = await request("/api/cards");
  return /** @type {string[]} */ (Object.values(value?.hands ?? {}))[0] ?? "";
}
