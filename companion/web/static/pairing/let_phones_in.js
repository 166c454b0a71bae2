// @ts-check
/**
 * The offer to let phones reach the table: it writes the setting, and starts the table anew. The page
 * comes back by itself, with the dialog about phones.
 */

import { say } from "../i18n/language.js";
import { ask } from "../net/post.js";
import { html, render, useState } from "../vendor/preact.js";

/** The address at which a server listens to the whole network. */
const EVERYWHERE = "0.0.0.0";
const REOPEN = "open-phones";

/** @typedef {import("../ui/about.js").About} About */

/**
 * Draw the offer where phones cannot reach the table.
 *
 * @param {HTMLElement} place
 * @param {About} about
 */
export function offerToLetIn(place, about) {
  place.hidden = about.pages.length > 0;
  render(html`<${Offer} about=${about} />`, place);
}

/** Return True once after the offer was taken and the page has come back. */
export function takeReopening() {
  try {
    const reopens = sessionStorage.getItem(REOPEN) !== null;
    sessionStorage.removeItem(REOPEN);
    return reopens;
  } catch {
    return false; // A browser may store nothing.
  }
}

/** @param {{about: About}} props */
function Offer({ about }) {
  const [waits, setWaits] = useState(false);
  const [refusal, setRefusal] = useState("");
  const start = async () => {
    setWaits(true);
    const why = await letIn(about.run);
    setRefusal(why);
    setWaits(!why);
  };
  return html`
    <span>${say("Phones cannot reach this machine yet.")}</span>
    ${about.right === "run" && html`
      <button class="plain go" type="button" disabled=${waits} onClick=${start}>${say("Let phones in")}</button>`}
    <span role="status">${waits ? say("The table starts anew; this page comes back by itself.") : ""}</span>
    <span class="refusal" role="alert">${refusal}</span>`;
}

/**
 * Have the table listen to the network. Return the refusal, if it is refused.
 *
 * @param {string} run of the server
 */
async function letIn(run) {
  try {
    const form = await (await fetch("/api/settings")).json();
    if (form.error) return form.error;
    const change = { changes: { "web.host": EVERYWHERE }, stamp: form.stamp };
    const { refusal } = await ask("/api/settings", change);
    if (refusal) return refusal;
    sessionStorage.setItem(REOPEN, "yes");
    return (await ask("/api/restart", { run })).refusal;
  } catch {
    return say("The table cannot be reached.");
  }
}
