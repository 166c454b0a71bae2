// @ts-check
/**
 * Dialog that deals cards, to play against the computer or to a chosen player at each seat. After the deal it shows a
 * link to each person's hand, with a QR code.
 */

import { LEVELS, PLAYERS, seatName } from "../i18n/labels.js";
import { say, sayings } from "../i18n/language.js";
import { OWN_HAND, remember } from "../net/storage.js";
import { LetPhonesIn } from "../pairing/let_in.js";
import { Dialog } from "../ui/dialog.js";
import { useFetched, useSending } from "../ui/forms.js";
import { html } from "../vendor/preact.js";
import { ROOM } from "./own_hand.js";

/** What the players must count themselves, by the house rule on muggins. */
const MUGGINS = sayings({
  alley: "Muggins on the first 121 holes: there you count your cards yourself, and whoever calls points that you miss takes them. Beyond, the table counts.",
  on: "Muggins: you count your cards yourself, and whoever calls points that you miss takes them.",
  off: "The table counts all cards.",
});

/** @typedef {{number: number, name: string, colour: string | undefined}} Seat */

/** @param {{about: Api.About, news: Api.TableNews, close: () => void}} props */
export function Dealing({ about, news, close }) {
  const { send, sends, refusal } = useSending();
  const isDealt = news.cards !== null;
  const { value, refusal: unknown } = useFetched(isDealt ? "/api/cards" : "/api/new-game");
  const hands = Object.entries(value?.hands ?? {});
  const deal = async (/** @type {string[]} */ seats) => (await send("/api/cards", { seats }))?.value?.hands;
  /** Deal to one person and the computer, and show the person's hand, if there is room on this page. @param {string[]} seats */
  const play = async (seats) => {
    const [path] = Object.values((await deal(seats)) ?? {});
    if (!path) return;
    remember(OWN_HAND, path);
    if (ROOM.matches) close();
    else location.assign(path);
  };
  const seats = seatsOf(news, about.teams);
  const [page = ""] = about.pages;
  return html`
    <${Dialog} id="dealing" title=${say("Cards")} close=${close}>
      ${!isDealt && html`
        <${Levels} ...${{ seats, sends, play }} />
        <${Seats} ...${{ seats, sends, deal }} />
        <p class="muggins">${MUGGINS[value?.muggins]}</p>`}
      ${isDealt && html`
        <div class="dealt">
          <p>${say("Each person opens their own hand: here by the link, on a phone by its code.")}</p>
          <ul class="links">${hands.map(([seat, path]) => html`
            <${Hand} key=${seat} ...${{ path, page }} seat=${seats[Number(seat) - 1]} isOnly=${hands.length === 1} />`)}</ul>
          <${LetPhonesIn} about=${about} />
          <button class="plain end" type="button" disabled=${sends} onClick=${() => send("/api/cards/end", {})}>${say("End the game of cards")}</button>
        </div>`}
      <p class="refusal" role="alert">${refusal || unknown}</p>
    <//>`;
}

/**
 * Return the seats with the names and colours of their sides.
 *
 * @param {Api.TableNews} news
 * @param {Record<string, Api.SideLabel>} labels
 * @returns {Seat[]}
 */
function seatsOf({ seats, table }, labels) {
  const playing = Object.keys(table.teams);
  return Array.from({ length: seats }, (_, at) => {
    const side = labels[playing[at % playing.length]];
    return { number: at + 1, name: seatName(at + 1, side, seats > playing.length), colour: side?.colour };
  });
}

/**
 * A button for each level. It deals at once: a person plays at the first seat, the computer at all others.
 *
 * @param {{seats: Seat[], sends: boolean, play: (seats: string[]) => void}} props
 */
function Levels({ seats, sends, play }) {
  return html`
    <div class="against">
      <h3>${say("Play against the computer")}</h3>
      ${Object.entries(LEVELS).map(([kind, words]) => html`
        <button class="plain level" type="button" disabled=${sends} onClick=${() => play(seats.map((_, at) => (at ? kind : "person")))}>
          <strong>${PLAYERS[kind]}</strong><span>${words}</span>
        </button>`)}
    </div>`;
}

/** @param {{seats: Seat[], sends: boolean, deal: (seats: string[]) => void}} props */
function Seats({ seats, sends, deal }) {
  const submit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.currentTarget);
    deal(/** @type {string[]} */ (new FormData(form).getAll("seat")));
  };
  return html`
    <form onSubmit=${submit}>
      <h3>${say("Deal to each seat")}</h3>
      <div class="sitting">${seats.map(({ number, name, colour }) => html`
        <label class="number" key=${number} style=${{ "--side": colour }}>
          <span class="name">${name}</span>${" "}
          <select class="plain" name="seat">
            ${Object.entries(PLAYERS).map(([kind, words]) => html`<option value=${kind}>${words}</option>`)}
          </select>
        </label>`)}</div>
      <button class="plain go" type="submit" disabled=${sends}>${say("Deal")}</button>
    </form>`;
}

/** Link to the hand of a person. @param {{seat: Seat, path: string, page: string, isOnly: boolean}} props */
function Hand({ seat: { name, colour }, path, page, isOnly }) {
  const { href, search } = new URL(path, page || location.origin);
  const words = isOnly ? say("Your hand") : name;
  const link = isOnly ? { class: "plain go", href: path } : { href, target: "_blank", rel: "noopener" };
  return html`
    <li style=${{ "--side": colour }}>
      ${page && html`<img class="code" src=${`/qr.svg${search}`} alt=${say("Code to scan: {what}", { what: words })} />`}
      <a ...${link}>${words}</a>
    </li>`;
}
