// @ts-check
/**
 * One hand of cards, for the person who has its address: its cards to choose from, and the form to count them. It
 * is shown on a page of its own (hand_page.js) and on the board's page (own_hand.js).
 */

import { seatName } from "../i18n/labels.js";
import { many, say } from "../i18n/language.js";
import { TIMEOUT_MS, pause, request } from "../net/request.js";
import { HAND_PATH, OWN_HAND, recall, remember } from "../net/storage.js";
import { facts } from "../ui/about.js";
import { Select, useSending } from "../ui/forms.js";
import { Store, useStore } from "../ui/store.js";
import { html, useEffect, useMemo, useState } from "../vendor/preact.js";
import { Cards, inOrder } from "./cards.js";
import { CountForm, countKey, countWords } from "./count_form.js";

const ORDER = "cards-order";
/** Time between two attempts to fetch the hand. */
const AGAIN_MS = 1000;

/** The hand with a token. Its owner calls `look` after each change of the table. */
export class HandStore extends Store {
  /** @param {string} token encoded for a URL */
  constructor(token) {
    super();
    this.stored = HAND_PATH + token;
    this.path = /** @type {const} */ (`/api/cards/${token}`);
    /** @type {Api.OwnHand | null} */
    this.hand = null;
    /** Reason why the hand cannot be played any more, or "". */
    this.end = "";
    /** Promise of the running requests for the hand, or null. @type {Promise<void> | null} */
    this.looking = null;
    this.lookAgain = false;
  }

  /** Fetch the hand. Only one request runs at a time, so that an old answer never replaces a newer one. */
  look() {
    this.lookAgain = true;
    this.looking ??= this.fetch();
    return this.looking;
  }

  async fetch() {
    while (this.lookAgain) {
      this.lookAgain = false;
      const { status, value, refusal } = await request(this.path, undefined, { signal: AbortSignal.timeout(TIMEOUT_MS) });
      if (!refusal) this.take(value);
      else if (status === 404) this.take(null, say("This hand is not being played any more. The board leads to all hands."));
      else if (status) this.take(null, refusal);
      else {
        await pause(AGAIN_MS);
        this.lookAgain = true;
      }
    }
    this.looking = null;
  }

  /** @param {Api.OwnHand | null} found @param {string} [why] reason why there is no hand */
  take(found, why = "") {
    this.hand = found ?? (this.hand && { ...this.hand, ask: null, to_count: null, open_count: null, box_movers: [] });
    this.end = why;
    if (found) remember(OWN_HAND, this.stored);
    this.changed();
  }
}

/**
 * The hand on the board's page.
 *
 * @param {{page: import("../table/page_store.js").PageStore, path: string, side: string}} props
 */
export function HandOnBoard({ page, path, side }) {
  const store = useMemo(() => new HandStore(path.slice(HAND_PATH.length)), [path]);
  const { news } = page.latest;
  useStore(store);
  useEffect(() => void store.look(), [store, news]);
  return html`<section class="own-cards" aria-label=${say("Your hand")}><${Own} ...${{ store, side }} /></section>`;
}

/** The cards of this hand to choose from, and the form to count them. @param {{store: HandStore, side: string}} props */
export function Own({ store, side: ownSide }) {
  const { hand: own, path, end } = store;
  const [order, setOrder] = useState(/** @type {import("./cards.js").Order} */ (recall(ORDER) ?? "up"));
  const [picked, setPicked] = useState(/** @type {string[]} */ ([]));
  // Wait for the new hand after each request. Otherwise a tap on the old cards could choose a wrong card.
  const { send, sends: isSending, refusal, setRefusal } = useSending(() => store.look());
  const ask = own?.ask ?? null;
  const cards = own?.shown?.hands.find(({ seat }) => seat === own.seat)?.cards ?? [];
  const playable = cards.flatMap(({ card, played }) => (card && !played && (ask?.choice.includes(card) ?? true) ? [card] : []));
  const isForced = ask?.for === "play" && playable.length === 1; // so that one tap plays it
  const chosen = isForced ? playable : picked.filter((card) => playable.includes(card));
  const waiting = () => JSON.stringify([store.hand?.ask, store.hand?.to_count]);
  /** @type {typeof send} */
  const act = async (to, body) => {
    const before = waiting();
    const answer = await send(to, body);
    if (waiting() !== before) setRefusal(""); // another device with this hand acted first: the new hand shows it
    return answer;
  };
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    if (await act(path, { cards: chosen })) setPicked([]);
  };
  const pick = (/** @type {string} */ card, /** @type {Event} */ event) => {
    setRefusal("");
    if (ask?.for === "play" && chosen.includes(card)) submit(event);
    else if (chosen.includes(card)) setPicked(chosen.filter((other) => other !== card));
    else setPicked(ask?.cards === 1 ? [card] : [...chosen, card]);
  };
  const button = (/** @type {string} */ card) => ({
    class: "choose", disabled: !playable.includes(card), "aria-pressed": `${chosen.includes(card)}`,
    onClick: (/** @type {Event} */ event) => pick(card, event),
  });
  const side = Number(ownSide);
  const key = own ? countKey(own, side) : "";
  const sort = (/** @type {import("./cards.js").Order} */ by) => {
    remember(ORDER, by);
    setOrder(by);
  };
  return html`
    <form id="choosing" aria-busy=${isSending} onSubmit=${submit}>
      <p id="ask" role="status">${end || (own && askWords(own, key !== "", chosen.length > 0, isForced))}</p>
      <${Cards} id="own" aria-label=${say("Your cards")} cards=${inOrder(cards, order)} button=${button} />
      <div class="act">
        <p id="refusal" class="refusal" role="alert">${refusal}</p>
        ${ask && html`
          <button id="send" class="plain go" type="submit" disabled=${isSending || chosen.length !== ask.cards}>${sendWords(ask)}</button>`}
        <${Select} name="sorting" id="order" label=${say("Sorted")} value=${order} set=${sort}
          options=${[["up", say("up")], ["down", say("down")], ["dealt", say("as dealt")]]} />
      </div>
    </form>
    ${own?.box_movers.includes(side) && html`
      <div id="box-move">
        <p>${say("Move your peg in the penalty box in this hand, or you sit one hand more.")}</p>
        <button class="plain go" type="button" disabled=${isSending} onClick=${() => act(`${path}/points`, { points: 0 })}>
          ${say("Move in the box")}</button>
      </div>`}
    ${key && own && html`
      <${CountForm} key=${key} counts=${own} side=${side} labels=${facts.teams} isSending=${isSending}
        send=${(/** @type {Api.PointsRequest} */ body) => act(`${path}/points`, body)} />`}`;
}

/** Return the name of a seat in this deal. @param {number} seat @param {Api.SeatsCards[]} hands */
function nameOf(seat, hands) {
  const side = hands.find((other) => other.seat === seat)?.team;
  const partners = hands.some((other) => other.team === side && other.seat !== seat);
  return seatName(seat, facts.teams[`${side}`], partners);
}

/** @param {Api.CardsAsked} ask */
function sendWords(ask) {
  if (ask.for !== "discard") return say("Play");
  return ask.under_deck ? say("Put under the deck") : say("Throw into the crib");
}

/**
 * @param {Api.OwnHand} hand
 * @param {boolean} isCounting true if the form to count is shown
 * @param {boolean} isChosen
 * @param {boolean} isForced true if only one card can be played
 */
function askWords({ ask, awaited, shown, ...counts }, isCounting, isChosen, isForced) {
  if (ask?.under_deck) return say("Choose 1 card to go under the deck: the crib comes from the other sides");
  if (ask?.for === "discard") {
    return many(ask.cards, "Choose {n} card for the crib", "Choose {n} cards for the crib");
  }
  if (isForced) return say("Tap the card to play it");
  if (ask) return isChosen ? say("Tap the card again to play it") : say("Play a card");
  const words = isCounting ? "" : countWords(counts, facts.teams);
  if (words) return words;
  if (awaited) return say("{name} is to choose", { name: nameOf(awaited, shown?.hands ?? []) });
  return shown ? "" : say("The cards are being dealt");
}
