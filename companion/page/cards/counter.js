// @ts-check
/**
 * The hand counter. The user taps four cards and the starter, and the page shows each part of the score. If the
 * page was opened from a side's score pad, it can enter the count there.
 */

import { many, say, sayings } from "../i18n/language.js";
import { Taps, countTaps } from "../table/taps.js";
import { facts as about, fetchAbout } from "../ui/about.js";
import { Switch, useFetched } from "../ui/forms.js";
import { html, render, useState } from "../vendor/preact.js";
import { Cards, DECK, isRed, lying, named, written } from "./cards.js";

/** Number of cards in a hand, without the starter. */
const HAND = 4;
const KINDS = sayings({
  fifteen: "Fifteen",
  pair: "Pair",
  "pair-royal": "Pair royal",
  "double-pair-royal": "Double pair royal",
  run: "Run",
  flush: "Flush",
  nobs: "Nobs",
});

const side = new URLSearchParams(location.search).get("side") ?? "";
await fetchAbout();
const isOfSide = side in about.teams;
const pad = `/pad?side=${encodeURIComponent(side)}`;
const taps = new Taps(about.run, { changed: () => {}, answered: () => {}, lost: () => {} });
taps.resume();
render(html`<main class="counter"><${Counter} /></main>`, document.body);

function Counter() {
  /** The cards of the hand, then the starter. */
  const [five, setFive] = useState(/** @type {string[]} */ ([]));
  const [isCrib, setCrib] = useState(false);
  const isFull = five.length > HAND;
  const query = new URLSearchParams({ hand: five.slice(0, HAND).join(" "), starter: five[HAND], crib: `${isCrib}` });
  const { value, refusal } = useFetched(isFull ? `/api/count?${query}` : "");
  const score = /** @type {Api.Counted | null} */ (value);
  const takeBack = (/** @type {string} */ card) => setFive(five.filter((other) => other !== card));
  /** Add the count to the side's pending count, and open the pad. The user still has to press Enter there. */
  const peg = () => {
    taps.press(...countTaps(side, score?.points ?? 0));
    location.assign(pad);
  };
  const words = score ? many(score.points, "{n} point", "{n} points") : refusal ? "" : missingWords(HAND + 1 - five.length);
  return html`
    <header>
      <h1>${say("Count a hand")}</h1>
      <a id="back" class="plain" href=${isOfSide ? pad : "/"}>${isOfSide ? say("Score pad") : say("Board")}</a>
    </header>
    <section id="five" aria-label=${say("The cards")}>
      <${Slots} id="four" legend=${say("Hand")} from=${0} to=${HAND} ...${{ five, takeBack }} />
      <${Slots} id="starter" legend=${say("Starter")} from=${HAND} to=${HAND + 1} ...${{ five, takeBack }} />
    </section>
    <section id="result" aria-live="polite">
      <p id="points">${words}</p>
      <ol id="parts"><${Parts} parts=${score?.parts ?? []} /></ol>
      <p id="refusal" role="alert">${refusal}</p>
    </section>
    <div class="tools">
      <${Switch} id="crib" words=${say("Crib")} on=${isCrib} set=${setCrib} />
      <button id="clear" class="plain" type="button" onClick=${() => setFive([])}>${say("Clear")}</button>
      <button id="peg" class="plain bright" type="button" hidden=${!isOfSide || about.right === "watch" || !score?.points}
        onClick=${peg}>${say("Peg it")}</button>
    </div>
    <section id="deck" aria-label=${say("Tap the four cards, then the starter")}>${DECK.map((card) => html`
      <button key=${card} type="button" data-card=${card} data-red=${isRed(card) ? "" : null} disabled=${isFull || five.includes(card)}
        aria-label=${`${written(card)} ${named(card)}`} onClick=${() => setFive([...five, card])}>${written(card)}</button>`)}</section>`;
}

/**
 * Row of slots for cards. A tap on a card puts it back.
 *
 * @param {{id: string, legend: string, five: string[], from: number, to: number, takeBack: (card: string) => void}} props
 */
function Slots({ id, legend, five, from, to, takeBack }) {
  const empty = Array.from({ length: to - from }, (_, at) => from + at).filter((at) => at >= five.length);
  const button = (/** @type {string} */ card) => ({
    class: "taken", "aria-label": say("{card}: put it back", { card: named(card) }), onClick: () => takeBack(card),
  });
  return html`
    <figure>
      <figcaption id=${`${id}-name`}>${legend}</figcaption>
      <${Cards} id=${id} aria-labelledby=${`${id}-name`} cards=${lying(five.slice(from, to))} button=${button}>
        ${empty.map((at) => html`<li key=${at}><span class=${at === five.length ? "slot next" : "slot"}></span></li>`)}
      <//>
    </figure>`;
}

/** @param {number} missing cards */
function missingWords(missing) {
  if (missing > 1) return say("Tap {missing} more cards", { missing });
  return missing ? say("Tap the starter") : "";
}

/** Parts of the score, one line each, with the sum so far. @param {{parts: Api.CountedPart[]}} props */
function Parts({ parts }) {
  let sum = 0;
  return parts.map(({ kind, points, cards }) => {
    sum += points;
    return html`
      <li>
        <span>${KINDS[kind] ?? kind}</span><span class="cards-of">${cards.map(written).join(" ")}</span>
        <span class="sum">${say("{points}, makes {sum}", { points, sum })}</span>
      </li>`;
  });
}
