// @ts-check
/**
 * Requests to the people at the table: to let a phone join or to install a version. Every page shows them. The
 * page on the table's own machine can answer the request of a phone; a version needs the button at the table.
 */

import { say } from "../i18n/language.js";
import { request } from "../net/request.js";
import { html, useState } from "../vendor/preact.js";

/** @param {{consents: Api.Consent[], about: Api.About}} props */
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
