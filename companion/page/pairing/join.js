// @ts-check
/** Pairing of this phone. The user enters its name, then somebody holds a button at the table. */

import { say } from "../i18n/language.js";
import { request } from "../net/request.js";
import { recall, remember } from "../net/storage.js";
import { Dialog } from "../ui/dialog.js";
import { TextField, useSending } from "../ui/forms.js";
import { html, useEffect, useState } from "../vendor/preact.js";

const STORED_AS = "visit";
const RETRY_MS = 1000;

/** Dialog to ask for the right to run the table. @param {{news: Api.TableNews, close: () => void}} props */
export function Joining({ news, close }) {
  return html`
    <${Dialog} id="joining" title=${say("Join to run the table")} close=${close}>
      <div class="join"><${Join} right="run" consents=${news.consents} done=${() => location.reload()} /></div>
    <//>`;
}

/**
 * @param {{right: "score" | "run", consents: Api.Consent[], done: () => void, own?: {side: string, name: string}}}
 *   props `right`: requested right; `done`: called when the phone is let in; `own`: side for which it keeps score
 */
export function Join({ right, consents, done, own }) {
  const [visit, setVisit] = useState(/** @type {Api.JoinResponse | null} */ (JSON.parse(recall(STORED_AS, "sessionStorage") || "null")));
  const { send, sends, refusal, setRefusal } = useSending();
  const [name, setName] = useState("");
  const store = (/** @type {Api.JoinResponse | null} */ value) => {
    remember(STORED_AS, value ? JSON.stringify(value) : "", "sessionStorage");
    setVisit(value);
  };
  const ask = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const answer = await send("/api/join", { name: name.trim() || say("a phone"), right, side: Number(own?.side) || null });
    if (answer) store(answer.value);
  };
  useEffect(() => {
    let current = true;
    /** Wait for the answer to the request to join. Ask again if the connection breaks. */
    const wait = async () => {
      const answer = await request(`/api/join/${visit?.visit}`, {});
      if (!current) return;
      if (!answer.status) return void setTimeout(() => current && wait(), RETRY_MS);
      store(null);
      setRefusal(answer.refusal);
      if (!answer.refusal) done();
    };
    if (visit) wait();
    return () => void (current = false);
  }, [visit?.visit]);
  return html`
    ${visit ? html`<p class="lead" role="status">${leadWords(visit, consents, own)}</p>` : html`
      <form onSubmit=${ask}>
        <p class="lead">${say("First the table must know this phone.")}</p>
        <${TextField} label=${say("What is this phone called?")} type="text" required maxlength="40" placeholder="Anna" value=${name} set=${setName} />
        <button class="plain go" type="submit" disabled=${sends}>${say("Join")}</button>
      </form>`}
    <p class="refusal" role="alert">${refusal}</p>`;
}

/**
 * @param {Api.JoinResponse} visit
 * @param {Api.Consent[]} consents
 * @param {{name: string} | undefined} own
 */
function leadWords({ number }, consents, own) {
  const asked = consents.find((each) => each.number === number);
  const first = asked && consents.find(({ button }) => button === asked.button);
  if (first && first !== asked) return say("“{name}” asked before this phone: wait a moment.", first);
  return own ? say("Hold Enter of {name} at the table for a second.", own) : say("Hold Deal at the table for a second.");
}
