// @ts-check
/**
 * The cards beside the board during a demo or a game with dealt cards: the middle of the table, the hands of
 * the sides, and the commentary.
 */

import { onPath, seatName } from "../i18n/labels.js";
import { say } from "../i18n/language.js";
import { Gain, sideWords } from "../table/standing.js";
import { classes } from "../ui/dialog.js";
import { html } from "../vendor/preact.js";
import { Cards, inOrder, lying } from "./cards.js";
import { countWords } from "./count_form.js";

/** Number of visible lines of commentary. The last line is the newest. */
const LINES = 4;

/** Number of letters of a name that has room beside the number of its hole on a television. */
const BESIDE = 8;

/** Cards before the first deal. @type {Omit<Api.Cards, "dealer"> & {dealer: number | null}} */
export const NO_CARDS = {
  phase: "over", dealer: null, turn: null, starter: null, count: 0, pile: [], hands: [], crib: [],
  showing: null,
};
/** @type {Api.DemoNews} */
export const NO_DEMO = { on: true, stage: "play", table: null, cards: null, lines: [], names: {}, newest: null };

/**
 * @param {{demo: Api.DemoNews, dealt?: Api.CardNews | null, labels: Record<string, Api.SideLabel>, children?: object}}
 *   props `dealt`: the game of cards, null for a demo
 */
export function CardTable({ demo: { table, cards, names, newest }, dealt = null, labels, children }) {
  const all = cards ?? NO_CARDS;
  const turn = turnOf(all, dealt, labels);
  return html`
    <section id="demo" aria-label=${say("The cards")}>
      <p class="turn" style=${{ "--side": turn && labels[turn.side].colour, "--letters": turn?.words.length }}>${turn?.words}</p>
      <${Middle} ...${{ all, labels }} />
      <div class="sides">${table && Object.keys(table.teams).map((side) =>
        html`<${Side} key=${side} ...${{ side, table, all, names, labels, newest }} />`)}</div>
      ${children}
    </section>`;
}

/** @param {{lines: string[], language: string}} props */
export function Commentary({ lines, language }) {
  return html`
    <ol id="caption" aria-live="polite" aria-label=${say("Commentary")} lang=${language}>
      ${lines.slice(-LINES).map((line) => html`<li key=${line}>${line}</li>`)}
    </ol>`;
}

/**
 * Return the side that acts next and a sentence about it, or null if no side acts.
 *
 * @param {typeof NO_CARDS} all
 * @param {Api.CardNews | null} dealt
 * @param {Record<string, Api.SideLabel>} labels
 */
function turnOf({ turn, showing, dealer, hands }, dealt, labels) {
  const { to_count: next, open_count: open, awaited } = dealt ?? {};
  const [undecided] = open?.undecided ?? [];
  if (next) return { side: next.team, words: countWords(dealt, labels) };
  if (undecided) return { side: undecided, words: say("{name}: call muggins or go on", { name: labels[undecided].name }) };
  const seat = turn ?? (showing === "crib" ? dealer : showing) ?? awaited;
  const hand = hands.find((each) => each.seat === seat);
  if (!hand) return null;
  const partners = hands.some((each) => each.team === hand.team && each !== hand);
  const name = seatName(hand.seat, labels[hand.team], partners);
  const words = turn ? say("{name}'s turn", { name }) : showing ? say("{name} counts", { name }) : say("{name} is to choose", { name });
  return { side: hand.team, words };
}

/** @param {{all: typeof NO_CARDS, labels: Record<string, Api.SideLabel>}} props */
export function Middle({ all: { phase, dealer, starter, count, pile, crib, showing, hands }, labels }) {
  const owner = hands.find(({ seat }) => seat === dealer);
  return html`
    <div class="middle">
      <figure class="starter"><figcaption>${say("Starter")}</figcaption><${Cards} cards=${lying(starter ? [starter] : [])} /></figure>
      <figure class="pile">
        <figcaption>${say("Count")}${" "}<span class="count">${phase === "play" ? count : ""}</span></figcaption>
        <${Cards} cards=${lying(pile)} />
      </figure>
      <figure class=${classes("crib", showing === "crib" && "acts")} style=${{ "--side": owner && labels[owner.team].colour }}>
        <figcaption>${say("Crib")}</figcaption><${Cards} cards=${inOrder(lying(crib))} />
      </figure>
    </div>`;
}

/** @param {{side: string, table: Api.TableResponse, all: Api.Cards, names: Record<string, string>, labels: Record<string, Api.SideLabel>, newest: Api.DemoCommand | null}} props */
function Side({ side, table, all, names, labels, newest }) {
  const { front } = table.teams[side];
  const path = onPath(front);
  const hands = all.hands.filter((hand) => `${hand.team}` === side).sort((a, b) => a.seat - b.seat);
  const dealing = (/** @type {number} */ seat) => (seat === all.dealer ? say("dealer") : "");
  const playAlone = Object.keys(names).length === Object.keys(table.teams).length;
  const name = (playAlone && names[side]) || labels[side].name;
  return html`
    <section class=${classes("seats", path && "path", name.length > BESIDE && "long")} data-key=${side} style=${{ "--side": labels[side].colour }}>
      <h2 class="name" style=${{ "--letters": name.length }}>${name}</h2>
      <p class="state">${listed([sideWords(table.teams[side], undefined), hands.length === 1 && dealing(hands[0].seat)])}</p>
      <p class="front"><${Gain} ...${{ side, newest }} />${" "}${path?.short ?? front}</p>
      <div class="hands">${hands.map(({ seat, folded, cards }) => html`
        <div key=${seat} data-key=${seat} class=${classes("hand", (seat === all.turn || seat === all.showing) && "acts", folded && "folded")}>
          <p class="does">${hands.length > 1 && listed([say("seat {seat}", { seat }), dealing(seat)])}</p>
          <${Cards} cards=${inOrder(cards)} />
        </div>`)}</div>
    </section>`;
}

/**
 * Return the cards, with a hand that is being counted in place of the pile.
 *
 * @param {Api.Cards} cards
 * @returns {Api.Cards}
 */
export function onTable(cards) {
  const shown = cards.hands.find(({ seat }) => seat === cards.showing);
  return shown ? { ...cards, pile: shown.cards.flatMap(({ card }) => card ?? []) } : cards;
}

/**
 * Return the banner over the board during a demo.
 *
 * @param {Api.DemoNews} demo
 * @param {Record<string, Api.SideLabel>} labels
 * @returns {import("../table/standing.js").Banner | null}
 */
export function demoBanner({ stage, table }, labels) {
  if (stage === "path") return { head: "", below: say("The way the pegs took") };
  if (stage === "show") return { head: "", below: say("The next game begins soon") };
  if (!table || table.winner === null) return null;
  const side = `${table.winner}`;
  return { head: say("{name} wins", { name: labels[side].name }), below: "", side };
}

/** Join the words that are not empty or false. @param {(string | false)[]} words */
function listed(words) {
  return words.filter(Boolean).join(", ");
}
