// @ts-check
/**
 * Counts that players enter themselves: who counts next, and the form to count or to call muggins. The form has
 * the same effect as the buttons of the side.
 */

import { say, sayings } from "../i18n/language.js";
import { landingWords } from "../table/adviser.js";
import { facts } from "../ui/about.js";
import { useFetched } from "../ui/forms.js";
import { html, useState } from "../vendor/preact.js";
import { Cards, inOrder, lying } from "./cards.js";

/** @typedef {Pick<Api.OwnHand, "to_count" | "open_count" | "shown">} Counts */

const OWN = sayings({ play: "Count your card", hand: "Count your hand", crib: "Count your crib" });
/** Counts that a card often makes, which take one tap. */
const USUAL = [2, 3, 4, 6];
const COUNTED = sayings({ play: "the card", hand: "the hand", crib: "the crib" });

/**
 * Return who must count next, or the last count and who may call muggins; "" if the table waits for nobody.
 *
 * @param {Omit<Counts, "shown"> | null} counts
 * @param {Record<string, Api.SideLabel>} labels
 */
export function countWords(counts, labels) {
  const { to_count: next = null, open_count: open = null } = counts ?? {};
  if (next) return say("{name} is to count {what}", { name: labels[next.team].name, what: COUNTED[next.why] });
  if (!open?.undecided.length) return "";
  const names = open.undecided.map((side) => labels[side].name).join(", ");
  const counted = openWords(open, labels);
  return say("{counted}. {names}: call muggins with its points, or go on with Enter", { counted, names });
}

/** @param {Api.OpenCount} open @param {Record<string, Api.SideLabel>} labels */
function openWords({ why, team: side, points }, labels) {
  return say("{name} counts {n} for {what}", { name: labels[side].name, n: points, what: COUNTED[why] });
}

/**
 * Return the cards of the counted hand or crib. For a count in the play return the cards played up to the one that
 * counts, but none if the pile shows just these.
 *
 * @param {Api.Cards | null} shown
 * @param {Api.AwaitedCount | Api.OpenCount | null} count
 * @returns {Api.HeldCard[]}
 */
function cardsOf(shown, count) {
  if (!shown || !count) return [];
  if (count.why === "play") return "pile" in count && `${count.pile}` !== `${shown.pile}` ? lying(count.pile) : [];
  if (count.why === "crib") return inOrder(lying(shown.crib));
  return inOrder(shown.hands.find(({ seat }) => seat === count.seat)?.cards ?? []);
}

/**
 * Form for a side that must count or may call muggins.
 *
 * @param {{counts: Counts, side: number, labels: Record<string, Api.SideLabel>, isSending: boolean,
 *   send: (body: Api.PointsRequest) => Promise<unknown>}} props `side`: side of this page; `isSending`: true while points are sent
 */
export function CountForm({ counts: { to_count: next, open_count: open, shown }, side, labels, isSending, send }) {
  const [points, setPoints] = useState(0);
  const isOwn = next?.team === side;
  const isNeeded = isOwn || (open?.undecided.includes(side) ?? false);
  const about = isOwn ? next : open;
  if (next && !isOwn && !open?.callers.includes(side)) {
    return html`
      <div id="waiting">
        <p role="status">${countWords({ to_count: next, open_count: null }, labels)}</p>
        <button class="plain" type="button" disabled=${isSending} onClick=${() => send({ points: 0, of: next.seat })}>
          ${say("{name} counts nothing", { name: labels[next.team].name })}</button>
      </div>`;
  }
  const words = isOwn && next ? OWN[next.why] : open ? openWords(open, labels) : "";
  const adding = Object.values(facts.panel).filter((each) => each.side === side && each.points);
  const add = (/** @type {number} */ more) => () => setPoints(Math.min(points + more, facts.most_points));
  const submit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    setPoints(0);
    const value = /** @type {HTMLButtonElement | null} */ (event.submitter)?.value;
    send({ points: Number(value) || points, given_back: value === "back", of: about?.seat });
  };
  return html`
    <form id="counting" aria-busy=${isSending} onSubmit=${submit}>
      <p class="counted" role="status">${words}</p>
      <${Cards} cards=${cardsOf(shown, about)} aria-label=${say("The cards counted")} />
      <div class="points">
        <output aria-label=${say("Points")}>${points}</output>
        ${adding.map((each) => html`<button class="plain" type="button" onClick=${add(each.points)}>${each.label}</button>`)}
        <button class="plain clear" type="button" onClick=${() => setPoints(0)}>${say("Clear")}</button>
      </div>
      ${open && !isOwn && points > 0
        ? html`<${Call} ...${{ open, side, labels, points, isSending }} />`
        : isNeeded && html`
          <button class="plain go" type="submit" disabled=${isSending}>
            ${isOwn ? say("Count {n}", { n: points }) : say("Go on")}</button>`}
      ${isOwn && next?.why === "play" && html`
        ${!points && html`
          <div class="points">
            ${USUAL.map((n) => html`
              <button class="plain" value=${n} disabled=${isSending} aria-label=${say("Count {n}", { n })}>${n}</button>`)}
          </div>`}
        <p>${say("Go and last card are counted for you.")}</p>`}
    </form>`;
}

/**
 * Two buttons to call muggins: the caller keeps the points or gives them back. Each shows where they would land.
 *
 * @param {{open: Api.OpenCount, side: number, labels: Record<string, Api.SideLabel>, points: number, isSending: boolean}} props
 */
function Call({ open, side, labels, points, isSending }) {
  const advice = /** @type {Record<string, Api.Advice> | null} */ (useFetched("/api/advice", points).value);
  const landing = (/** @type {number} */ of) => {
    const outlook = advice?.[of]?.outlooks[points - 1];
    return outlook && say("{name}: {who}", { name: labels[of].name, who: landingWords(outlook) });
  };
  const back = open.given_back === "nobody" ? say("Nobody pegs them.") : landing(open.team);
  return html`
    <div class="call">
      <button class="plain go" type="submit" disabled=${isSending}>${say("Muggins: keep {n}", { n: points })}</button>
      <p>${landing(side)}</p>
      <button class="plain go" type="submit" value="back" disabled=${isSending}>${say("Muggins: give {n} back", { n: points })}</button>
      <p>${back}</p>
      ${open.only_missed && html`<p>${say("Points counted too many are only taken back.")}</p>`}
    </div>`;
}

/**
 * Return the key of the form's component, "" if no form is shown. A new key resets the points to 0.
 *
 * @param {Counts} counts
 * @param {number} side of this page
 */
export function countKey({ to_count: next, open_count: open }, side) {
  if (next?.team === side) return `own ${next.seat} ${next.pile}`;
  if (open?.callers.includes(side)) return `${open.team} ${open.why} ${open.points}`;
  return next?.enders.includes(side) ? "other" : "";
}
