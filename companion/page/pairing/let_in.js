// @ts-check
/**
 * Offer to let phones reach the table, and requests to the people at the table, such as to let a phone join.
 *
 * The offer changes the setting and restarts the table. Then the page is reloaded and opens the dialog about phones.
 */

import { say } from "../i18n/language.js";
import { request, saveSettings } from "../net/request.js";
import { remember, takeMark } from "../net/storage.js";
import { html, useState } from "../vendor/preact.js";

/** Address at which the server listens to the whole network. */
const EVERYWHERE = "0.0.0.0";
const REOPEN = "open-phones";

/** Return true at the first call after the user has accepted the offer and the page is reloaded. */
export function takeReopening() {
  return takeMark(REOPEN);
}

/** Offer to let phones in, shown if phones cannot reach the table. @param {{about: Api.About}} props */
export function LetPhonesIn({ about }) {
  const [waits, setWaits] = useState(false);
  const [refusal, setRefusal] = useState("");
  const start = async () => {
    setWaits(true);
    const why = await letIn(about.run, setRefusal);
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
 * @param {(why: string) => void} late called with the reason of a delay
 */
async function letIn(run, late) {
  const refusal = await saveSettings({ "web.host": EVERYWHERE }, late);
  if (refusal) return refusal;
  remember(REOPEN, "yes", "sessionStorage");
  return (await request("/api/restart", { run })).refusal;
}

/**
 * Requests to let a phone join or to install a version. Every page shows them. The page on the table's own machine
 * can answer the request of a phone; a version needs the button at the table.
 *
 * @param {{consents: Api.Consent[], about: Api.About}} props
 */
export function JoinRequests({ consents, about }) {
  const [refusal, setRefusal] = useState("");
  const answer = async (/** @type {number} */ number, /** @type {boolean} */ granted) =>
    setRefusal((await request(`/api/consents/${number}`, { granted })).refusal);
  return html`
    <ul class="join-request" role="status" hidden=${!consents.length}>${consents.map((consent) => html`
      <li key=${consent.number}>
        ${requestWords(consent, consents, about.teams)}
        ${about.near && html`
          ${" "}${consent.kind !== "update" && html`
            <button class="plain go" type="button" onClick=${() => answer(consent.number, true)}>${say("Let it in")}</button>`}
          ${" "}<button class="plain" type="button" onClick=${() => answer(consent.number, false)}>${say("Refuse")}</button>`}
      </li>`)}
      <li class="refusal" role="alert" hidden=${!refusal}>${refusal}</li>
    </ul>`;
}

/**
 * @param {Api.Consent} consent
 * @param {Api.Consent[]} consents
 * @param {Record<string, Api.SideLabel>} labels
 */
function requestWords(consent, consents, labels) {
  const { name, kind, button } = consent;
  const who = {
    score: () => say("A phone called “{name}” wants to keep score", { name }),
    run: () => say("A phone called “{name}” wants to run the table", { name }),
    update: () => say("Version {name} on a USB stick is not signed", { name }),
  }[kind]();
  if (consents.find((each) => each.button === button) !== consent) return say("{who}: it waits for the phone before it", { who });
  if (kind === "update") return say("{who}: hold Deal for a second to install it, or pull the stick out", { who });
  const [side] = button.split(".");
  const hold = side in labels ? say("Enter of {name}", { name: labels[side].name }) : say("Deal");
  return say("{who}: hold {hold} for a second to let it in", { who, hold });
}
