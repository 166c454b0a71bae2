// @ts-check
/** Dialog about phones: QR codes of the sides' pads, and the list of phones that were let in. */

import { padWords } from "../i18n/labels.js";
import { locale, say, sayings } from "../i18n/language.js";
import { Dialog } from "../ui/dialog.js";
import { useFetched, useSending } from "../ui/forms.js";
import { html, useState } from "../vendor/preact.js";
import { JoinRequests, LetPhonesIn } from "./let_in.js";

const MAY = sayings({ score: "keeps score", run: "runs the table" });

/** @param {{about: Api.About, news: Api.TableNews, close: () => void}} props */
export function Phones({ about, news: { table, consents }, close }) {
  const [page, other] = about.pages;
  return html`
    <${Dialog} id="phones" title=${say("Phones")} close=${close}>
      <div class="inside">
        <${JoinRequests} ...${{ consents, about }} />
        <${LetPhonesIn} about=${about} />
        <div class="codes">${page && ["", ...Object.keys(table.teams)].map((side) => html`<${Code} key=${side} ...${{ side, page, about }} />`)}</div>
        <p class="other">${other && say("For a phone that does not find it: {address}", { address: other })}</p>
        ${about.right === "run" && html`<${LetIn} waits=${consents.length} />`}
      </div>
    <//>`;
}

/**
 * QR code with its address as text.
 *
 * @param {{side: string, page: string, about: Api.About}} props `side`: side of the pad, "" for the board's page
 */
function Code({ side, page, about }) {
  const label = about.teams[side];
  const name = label ? padWords(label.name) : say("The board");
  const address = side ? `${page}pad?side=${side}` : page;
  return html`
    <figure style=${{ "--side": label?.colour }}>
      <img class="code" src=${side ? `/qr.svg?side=${side}` : "/qr.svg"} alt=${say("Code to scan: {what}", { what: name })} />
      <figcaption>${name}</figcaption>
      <a href=${address}>${address}</a>
    </figure>`;
}

/**
 * List of the phones that were let in, newest first.
 *
 * @param {{waits: number}} props `waits`: number of open requests; each change fetches the list again
 */
function LetIn({ waits }) {
  const [forgotten, setForgotten] = useState(0);
  const { value, refusal: unknown } = useFetched("/api/phones", waits, forgotten);
  const { send, refusal } = useSending();
  const phones = /** @type {Api.PhoneEntry[] | null} */ (value && [...value].reverse());
  const forget = async (/** @type {Api.PhoneEntry} */ { id, own }) => {
    const isDone = await send("/api/phones/forget", { id });
    if (own && isDone) location.reload();
    else setForgotten(forgotten + 1);
  };
  return html`
    <section class="let-in" aria-labelledby="let-in-title">
      <h2 id="let-in-title">${say("Let in")}</h2>
      <p class="none">${phones?.length === 0 && say("None yet: a phone that opens a score pad asks to be let in.")}</p>
      <ul class="in">${phones?.map((phone) => html`
        <li key=${phone.id}>
          <span class="name">${phone.name}</span><span class="may">${mayWords(phone)}</span>
          <button class="plain" type="button" aria-label=${say("Forget {name}", { name: phone.name })}
            onClick=${() => forget(phone)}>${say("Forget")}</button>
        </li>`)}</ul>
    </section>
    <p class="refusal" role="alert">${refusal || unknown}</p>`;
}

/** @param {Api.PhoneEntry} phone */
function mayWords({ right, since, own }) {
  const values = { may: MAY[right], day: new Date(since).toLocaleDateString(locale()) };
  return own ? say("{may}, since {day}, this phone", values) : say("{may}, since {day}", values);
}
