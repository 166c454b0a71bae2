// @ts-check
/**
 * Offer to let phones reach the table. It changes the setting and restarts the table. Then the page is reloaded
 * and opens the dialog about phones.
 */

import { say } from "../i18n/language.js";
import { request } from "../net/request.js";
import { recall, remember } from "../net/storage.js";
import { html, useState } from "../vendor/preact.js";

/** Address at which the server listens to the whole network. */
const EVERYWHERE = "0.0.0.0";
const REOPEN = "open-phones";

/** Return true at the first call after the user has accepted the offer and the page is reloaded. */
export function takeReopening() {
  const reopens = recall(REOPEN, "sessionStorage") === "yes";
  remember(REOPEN, "", "sessionStorage");
  return reopens;
}

/** Offer to let phones in, shown if phones cannot reach the table. @param {{about: Api.About}} props */
export function LetPhonesIn({ about }) {
  const [waits, setWaits] = useState(false);
  const [refusal, setRefusal] = useState("");
  const start = async () => {
    setWaits(true);
    const why = await letIn(about.run);
    setRefusal(why);
    setWaits(!why);
  };
  if (about.pages.length) return null;
  return html`
    <div class="unreachable">
      <span>${about.local_only ? say("Phones cannot reach this machine yet.") : say("This machine is in no network yet.")}</span>
      ${about.local_only && about.right === "run" && html`
        <button class="plain" type="button" disabled=${waits} onClick=${start}>${say("Let phones in")}</button>`}
      <span role="status">${waits ? say("The table restarts, and this page comes back.") : ""}</span>
      <span class="refusal" role="alert">${refusal}</span>
    </div>`;
}

/**
 * Make the table listen to the network. Return the reason of a refusal, otherwise "".
 *
 * @param {string} run of the server
 */
async function letIn(run) {
  const form = await request("/api/settings");
  if (form.refusal) return form.refusal;
  const change = { changes: { "web.host": EVERYWHERE }, stamp: form.value.stamp };
  const { refusal } = await request("/api/settings", change);
  if (refusal) return refusal;
  remember(REOPEN, "yes", "sessionStorage");
  return (await request("/api/restart", { run })).refusal;
}
