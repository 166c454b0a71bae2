// @ts-check
/** The hand of cards that was opened on this device: on the board's page if that has room for it, otherwise behind a link. */

import { say } from "../i18n/language.js";
import { request } from "../net/request.js";
import { HAND_PATH, OWN_HAND, recall } from "../net/storage.js";
import { html, useEffect, useState } from "../vendor/preact.js";

/** Windows in which the board's page is also the page of the hand, if only one person plays. */
export const ROOM = matchMedia("(min-width: 1024px) and (min-height: 501px)");

/**
 * Return the path of the hand that was opened on this device and is still played, or "". If the board's page shows this
 * hand, `View` is its component and `side` its side.
 *
 * @param {import("../table/page_store.js").PageStore} page
 */
export function useOwnHand({ news }) {
  const dealt = news?.cards ?? null;
  const stored = recall(OWN_HAND) ?? "";
  const [path, setPath] = useState("");
  const [View, setView] = useState(/** @type {unknown} */ (null));
  const [hasRoom, setRoom] = useState(ROOM.matches);
  const [seat, ...others] = peopleOf(dealt);
  const isHere = hasRoom && path !== "" && !others.length && Boolean(dealt?.shown && !news?.demo);
  useEffect(() => ROOM.addEventListener("change", () => setRoom(ROOM.matches)), []);
  useEffect(() => {
    let isCurrent = true;
    setPath("");
    if (dealt && stored.startsWith(HAND_PATH)) {
      request(`/api/cards/${stored.slice(HAND_PATH.length)}`).then(({ refusal }) => isCurrent && !refusal && setPath(stored));
    }
    return () => void (isCurrent = false);
  }, [dealt?.session, stored]);
  useEffect(() => {
    if (isHere && !View) loadHand().then((loaded) => setView(() => loaded), () => {}); // without it the link remains
  }, [isHere]);
  return { path, View: isHere ? View : null, side: isHere && View ? sideOf(seat, news) : "" };
}

/** Return the seats of people. @param {{seats: Record<string, string>} | null} dealt */
export function peopleOf(dealt) {
  return Object.entries(dealt?.seats ?? {}).flatMap(([seat, kind]) => (kind === "person" ? [Number(seat)] : []));
}

/** Return the side of a seat, or "" before it is known. @param {number} seat @param {Api.TableNews | null} news */
export function sideOf(seat, news) {
  const playing = Object.keys(news?.table.teams ?? {});
  return playing[(seat - 1) % playing.length] ?? "";
}

/** Return the component of the hand, once its style sheet is loaded. */
async function loadHand() {
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href: "/static/hand.css" });
  const styled = new Promise((resolve, reject) => Object.assign(link, { onload: resolve, onerror: reject }));
  document.head.append(link);
  const [{ HandOnBoard }] = await Promise.all([import("./hand.js"), styled]);
  return HandOnBoard;
}

/**
 * Link to the own hand. A page that runs the table has a button for the dialog with all hands if there is no link.
 *
 * @param {{own: ReturnType<typeof useOwnHand>, runs: boolean, showAll: () => void}} props
 */
export function OwnHandLink({ own: { path, View }, runs, showAll }) {
  if (path && !View) return html`<a id="own-hand" class="plain" href=${path}>${say("Your hand")}</a>`;
  return runs && html`
    <button id="own-hand" class="plain" type="button" aria-haspopup="dialog" onClick=${showAll}>
      ${View ? say("Leave") : say("The hands")}</button>`;
}
