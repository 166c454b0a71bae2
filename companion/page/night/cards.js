// @ts-check
/**
 * Score cards: the games of each entrant, and corrections of single lines. The two cards of a game are
 * corrected separately (ACC rule 12.2).
 */

import { say } from "../i18n/language.js";
import { html, useState } from "../vendor/preact.js";
import { useChange, valuesOf } from "./change.js";

/** @param {{night: Api.OrganiserView}} props */
export function Cards({ night }) {
  const [chosen, choose] = useState("");
  const card = night.cards.find(({ id }) => `${id}` === chosen);
  return html`
    <section id="cards" aria-labelledby="cards-title">
      <h2 id="cards-title">${say("Cards")}</h2>
      <label>${say("Card of")} <select onChange=${(/** @type {{currentTarget: HTMLSelectElement}} */ { currentTarget }) => choose(currentTarget.value)}>
        <option value="">–</option>
        ${night.cards.map(({ id, name }) => html`<option key=${id} value=${`${id}`}>${name}</option>`)}
      </select></label>
      ${card && html`<${CardTable} key=${card.id} card=${card} />`}
    </section>`;
}

/** @param {{card: Api.CardView}} props */
function CardTable({ card }) {
  const { lines } = card;
  return html`
    <table>
      <thead><tr>
        <th scope="col">${say("Round")}</th><th scope="col">${say("Opponent")}</th>
        <th scope="col" class="figure">${say("Points")}</th><th scope="col" class="figure">${say("Plus")}</th>
        <th scope="col" class="figure">${say("Minus")}</th><th scope="col">${say("Correction")}</th>
      </tr></thead>
      <tbody>${lines.map((line) => html`<${Line} key=${line.round} entrant=${card.id} line=${line} />`)}</tbody>
    </table>
    ${lines.length === 0 && html`<p>${say("No game is on this card yet.")}</p>`}`;
}

/** @param {{entrant: number, line: Api.CardLine}} props */
function Line({ entrant, line }) {
  const { round, opponent, points, plus, minus, corrected } = line;
  const [send, refusal] = useChange();
  const correct = (/** @type {Event} */ event) => {
    const values = valuesOf(event);
    const [points, plus, minus] = [values.points, values.plus, values.minus].map(Number);
    return send({ command: "correct-card", correction: { round, entrant, points, plus, minus, reason: values.reason } });
  };
  return html`
    <tr>
      <td>${round}</td><td>${opponent}</td><td class="figure">${points}</td>
      <td class="figure">${plus || ""}</td><td class="figure">${minus || ""}</td>
      <td><details>
        <summary>${corrected === null ? say("Correct") : corrected || say("corrected")}</summary>
        <form class="line" onSubmit=${correct}>
          <label>${say("Points")} <input name="points" type="number" min="0" max="9" required defaultValue=${points} /></label>
          <label>${say("Plus")} <input name="plus" type="number" min="0" max="1000" required defaultValue=${plus} /></label>
          <label>${say("Minus")} <input name="minus" type="number" min="0" max="1000" required defaultValue=${minus} /></label>
          <label>${say("Reason")} <input name="reason" type="text" maxlength="200" defaultValue=${corrected ?? ""} /></label>
          <button class="plain">${say("Correct this card")}</button>
          ${corrected !== null && html`<button class="plain" type="button"
            onClick=${() => send({ command: "withdraw-correction", round, entrant })}>${say("Take it back")}</button>`}
          ${refusal && html`<p class="refusal" role="alert">${refusal}</p>`}
        </form>
      </details></td>
    </tr>`;
}
