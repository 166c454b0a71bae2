// @ts-check
/**
 * The page of one hand of cards, for the person who has its address. The page fetches the hand after each change
 * of the table.
 */

import { PLAYERS, connectionWords, matchWords, seatName } from "../i18n/labels.js";
import { many, say } from "../i18n/language.js";
import { TIMEOUT_MS, pause, request } from "../net/request.js";
import { HAND_PATH, OWN_HAND, recall, remember } from "../net/storage.js";
import { NO_CONNECTION, Stream } from "../net/stream.js";
import { keepAwake } from "../net/wake_lock.js";
import { drawSheet } from "../table/sheet.js";
import { NextGame } from "../guide/win_card.js";
import { Positions, bannerWords, ownHandWords } from "../table/standing.js";
import { LiveAbout, fetchAbout, printsAnew } from "../ui/about.js";
import { useSending, valueOf } from "../ui/forms.js";
import { html, render, useState } from "../vendor/preact.js";
import { Cards, inOrder, lying } from "./cards.js";
import { CountForm, countKey, countWords } from "./count_form.js";
import { NO_CARDS } from "./demo.js";

const ORDER = "cards-order";
/** Time between two attempts to fetch the hand. */
const AGAIN_MS = 1000;

const token = new URLSearchParams(location.search).get("hand") ?? "";
const path = `/api/cards/${encodeURIComponent(token)}`;

/** @type {Api.OwnHand | null} */
let hand = null;
/** Reason why the hand cannot be played any more, or "". */
let end = "";
/** Promise of the running requests for the hand, or null. @type {Promise<void> | null} */
let looking = null;
let lookAgain = false;
/** @type {Api.TableNews | null} */
let news = null;
let connection = NO_CONNECTION;
const live = new LiveAbout(await fetchAbout(), (now, before) => {
  look();
  if (printsAnew(now, before)) sheet.redraw();
});

keepAwake();
draw();
const sheet = await drawSheet(/** @type {HTMLElement} */ (document.querySelector(".sheet")), live.now);
new Stream("/api/stream", {
  hello: () => {
    sheet.light.reset();
    live.renew();
    look();
  },
  frame: (text) => sheet.light.show(text),
  news: (latest) => {
    live.follow(latest);
    news = latest;
    draw();
    look();
  },
  state: (now) => {
    connection = now;
    draw();
  },
});

/** Fetch the hand. Only one request runs at a time, so that an old answer never replaces a newer one. */
function look() {
  lookAgain = true;
  looking ??= fetchHand();
  return looking;
}

async function fetchHand() {
  while (lookAgain) {
    lookAgain = false;
    const { status, value, refusal } = await request(path, undefined, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (!refusal) take(value);
    else if (status) take(null, refusal);
    else {
      await pause(AGAIN_MS);
      lookAgain = true;
    }
  }
  looking = null;
}

/** @param {Api.OwnHand | null} found @param {string} [why] reason why there is no hand */
function take(found, why = "") {
  hand = found ?? (hand && { ...hand, ask: null, to_count: null, open_count: null, box_movers: [] });
  end = why;
  remember(OWN_HAND, found ? HAND_PATH + encodeURIComponent(token) : "");
  draw();
}

/** Return the side of this hand, or "" before it is known. */
function ownSide() {
  const playing = Object.keys(news?.table.teams ?? {});
  return (hand && playing[(hand.seat - 1) % playing.length]) ?? "";
}

function draw() {
  const side = live.now.teams[ownSide()];
  document.documentElement.style.setProperty("--side", side?.colour ?? "");
  const who = hand ? say("{name}, seat {seat}", { name: side?.name ?? "Crib Wars", seat: hand.seat }) : "Crib Wars";
  render(html`
    <main class="own">
      <header>
        <h1 id="who">${who}</h1>
        <p id="connection" role="status" data-state=${connection.state}>${connectionWords(connection)}</p>
        <p id="hand">${news && standingWords(news)}</p>
        <p id="match">${news && matchWords(news.match, live.now.teams)}</p>
        <ul id="fronts" class="fronts" aria-label=${say("The sides")}>
          ${news && html`<${Positions} sides=${Object.keys(news.table.teams)} table=${news.table} labels=${live.now.teams} />`}
        </ul>
        <a class="plain" href="/">${say("Board")}</a>
        ${live.now.right === "run" && news?.table.winner && html`<${NextGame} match=${news.match} />`}
      </header>
      <${Middle} ...${hand?.shown ?? NO_CARDS} />
      <${Own} hand=${hand} />
      <ol id="lines" aria-live="polite" aria-label=${say("Commentary")}>${hand?.lines.map((line) => html`<li key=${line}>${line}</li>`)}</ol>
      <figure class="sheet" aria-label=${say("The printed board; its lamps show the game")}></figure>
      <div id="others">${hand?.shown && html`<${Others} hand=${hand} ...${hand.shown} />`}</div>
    </main>`, document.body);
}

/** Return a line about the hand and its dealer, or about the winner. @param {Api.TableNews} news */
function standingWords({ table, match, night }) {
  const won = bannerWords({ table, match, night, mode: null }, live.now.teams);
  return won ? `${won.head}. ${won.below}` : ownHandWords(table, live.now.teams, ownSide());
}

/** @param {Api.Cards} props */
function Middle({ starter, pile, phase, count }) {
  return html`
    <div class="laid">
      <figure><figcaption>${say("Starter")}</figcaption><${Cards} id="starter" cards=${lying(starter ? [starter] : [])} /></figure>
      <figure>
        <figcaption>${say("Count")}${" "}<span id="count">${phase === "play" && count}</span></figcaption>
        <${Cards} id="pile" cards=${lying(pile)} />
      </figure>
    </div>`;
}

/** The cards of this hand to choose from, and the form to count them. @param {{hand: Api.OwnHand | null}} props */
function Own({ hand: own }) {
  const [order, setOrder] = useState(/** @type {import("./cards.js").Order} */ (recall(ORDER) ?? "up"));
  const [picked, setPicked] = useState(/** @type {string[]} */ ([]));
  // Wait for the new hand after each request. Otherwise a tap on the old cards could choose a wrong card.
  const { send, sends: isSending, refusal, setRefusal } = useSending(look);
  const ask = own?.ask ?? null;
  const cards = own?.shown?.hands.find(({ seat }) => seat === own.seat)?.cards ?? [];
  const playable = cards.flatMap(({ card, played }) => (card && !played && (ask?.choice.includes(card) ?? true) ? [card] : []));
  const chosen = picked.filter((card) => playable.includes(card));
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    if (await send(path, { cards: chosen })) setPicked([]);
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
  const side = Number(ownSide());
  const key = own ? countKey(own, side) : "";
  const change = (/** @type {Event} */ event) => {
    remember(ORDER, valueOf(event));
    setOrder(/** @type {import("./cards.js").Order} */ (valueOf(event)));
  };
  return html`
    <form id="choosing" aria-busy=${isSending} onSubmit=${submit}>
      <p id="ask" role="status">${end || (own && askWords(own, key !== "", chosen.length > 0))}</p>
      <${Cards} id="own" aria-label=${say("Your cards")} cards=${inOrder(cards, order)} button=${button} />
      <label class="sorting">${say("Sorted")}${" "}
        <select id="order" value=${order} onChange=${change}>
          <option value="up">${say("up")}</option>
          <option value="down">${say("down")}</option>
          <option value="dealt">${say("as dealt")}</option>
        </select>
      </label>
      <p id="refusal" class="refusal" role="alert">${refusal}</p>
      ${ask && html`
        <button id="send" class="plain go" type="submit" disabled=${isSending || chosen.length !== ask.cards}>${sendWords(ask)}</button>`}
    </form>
    ${own?.box_movers.includes(side) && html`
      <div id="box-move">
        <p>${say("Move your peg in the penalty box in this hand, or you sit one hand more.")}</p>
        <button class="plain go" type="button" disabled=${isSending} onClick=${() => send(`${path}/points`, { points: 0 })}>
          ${say("Move in the box")}</button>
      </div>`}
    ${key && own && html`
      <${CountForm} key=${key} counts=${own} side=${side} labels=${live.now.teams} isSending=${isSending}
        send=${(/** @type {number} */ points, /** @type {boolean} */ given_back) => send(`${path}/points`, { points, given_back })} />`}`;
}

/** The crib and the hands of the other seats. @param {{hand: Api.OwnHand} & Api.Cards} props */
function Others({ hand: { seat, seats }, hands, crib }) {
  const others = hands.filter((other) => other.seat !== seat).map((other) => {
    const who = PLAYERS[seats[other.seat]] ?? seats[other.seat];
    return { name: say("{name}: {who}", { name: nameOf(other.seat, hands), who }), cards: other.cards };
  });
  return [{ name: say("Crib"), cards: lying(crib) }, ...others].map(({ name, cards }) => html`
    <section key=${name}><h2>${name}</h2><${Cards} cards=${inOrder(cards)} /></section>`);
}

/** Return the name of a seat in this deal. @param {number} seat @param {Api.SeatsCards[]} hands */
function nameOf(seat, hands) {
  const side = hands.find((other) => other.seat === seat)?.team;
  const partners = hands.some((other) => other.team === side && other.seat !== seat);
  return seatName(seat, live.now.teams[`${side}`], partners);
}

/** @param {Api.CardsAsked} ask */
function sendWords(ask) {
  if (ask.for !== "discard") return say("Play");
  return ask.under_deck ? say("Put under the deck") : say("Throw into the crib");
}

/** @param {Api.OwnHand} hand @param {boolean} isCounting true if the form to count is shown @param {boolean} isChosen */
function askWords({ ask, awaited, shown, ...counts }, isCounting, isChosen) {
  if (ask?.under_deck) return say("Choose 1 card to go under the deck: the crib comes from the other sides");
  if (ask?.for === "discard") {
    return many(ask.cards, "Choose {n} card for the crib", "Choose {n} cards for the crib");
  }
  if (ask) return isChosen ? say("Tap the card again to play it") : say("Play a card");
  const words = isCounting ? "" : countWords(counts, live.now.teams);
  if (words) return words;
  if (awaited) return say("{name} is to choose", { name: nameOf(awaited, shown?.hands ?? []) });
  return shown ? "" : say("The cards are being dealt");
}
