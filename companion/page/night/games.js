// @ts-check
/**
 * The rounds with their games, and the score cards. The tables report the results, or the organiser enters what the
 * sides report. The organiser can correct single lines of a card; the two cards of a game are corrected separately
 * (ACC rule 12.2). A refusal is shown next to the control that sent the change.
 */

import { say, sayings } from "../i18n/language.js";
import { deliver } from "../net/request.js";
import { Select } from "../ui/forms.js";
import { html, useState } from "../vendor/preact.js";

const STATUS = sayings({
  waiting: "not begun",
  playing: "is being played",
  unconfirmed: "not confirmed",
  disputed: "two results",
  done: "on the cards",
});

/** @param {{night: Api.OrganiserView}} props */
export function Games({ night }) {
  const { hall, games } = night;
  const [chosen, choose] = useState(0);
  const [send, refusal] = useChange();
  const round = chosen || hall.round;
  const shown = games.filter((game) => game.round === round);
  const begun = shown.some(({ status }) => status !== "waiting");
  const newest = round === hall.round;
  const seats = newest ? hall.seats : null;
  return html`
    <section id="games" aria-labelledby="games-title">
      <h2 id="games-title">${round ? say("Round {round}", { round }) : say("Rounds")}</h2>
      <p class="line">${Array.from({ length: hall.round }, (_, at) => at + 1).map((each) => html`
        <button key=${each} class="plain" type="button" aria-pressed=${`${each === round}`}
          aria-label=${say("Round {round}", { round: each })} onClick=${() => choose(each)}>${each}</button>`)}
        ${newest && round > 0 && !begun && html`<button class="plain" type="button"
          onClick=${() => send({ command: "withdraw-round", round })}>${say("Take round {round} back", { round })}</button>`}
      </p>
      ${refusal}
      ${!round && html`<p>${say("No round has been seated yet.")}</p>`}
      <ul class="games">${shown.map((game) => html`
        <${Row} key=${`${game.round}-${game.table}`} game=${game} newest=${newest} finish=${night.finish} />`)}</ul>
      ${seats?.bye && html`<p>${say("{name} sits out", { name: seats.bye })}</p>`}
    </section>`;
}

/** @param {{game: Api.GameView, newest: boolean, finish: number}} props */
function Row({ game, newest, finish }) {
  const { round, table, names, status, winner, plus, minus, entered } = game;
  const won = winner === null ? "" : names[Number(winner) - 1];
  const result = !winner ? "" : plus === minus
    ? say("{name} wins by {plus}", { name: won, plus })
    : say("{name} wins: plus {plus}, minus {minus}", { name: won, plus, minus });
  return html`
    <li id=${`game-${round}-${table}`} data-status=${status}>
      <details>
        <summary>
          <strong>${say("Table {table}", { table })}</strong>
          <span>${names[0]} – ${names[1]}</span>
          <em>${result && `${result} · `}${entered ? say("entered by hand") : STATUS[status]}</em>
        </summary>
        <${Entry} game=${game} finish=${finish} />
        ${newest && status !== "done" && html`<${Move} table=${table} />`}
      </details>
    </li>`;
}

/** @param {{game: Api.GameView, finish: number}} props */
function Entry({ game, finish }) {
  const { round, table, names, winner, plus, minus, entered } = game;
  const [send, refusal] = useChange();
  const enter = (/** @type {Event} */ event) => {
    const { side, won, lost } = valuesOf(event);
    return send({ command: "enter-result", round, table, winner: side, plus: Number(won), minus: Number(lost || won) });
  };
  return html`
    <form class="line" onSubmit=${enter}>
      <label>${say("Winner")} <select name="side" defaultValue=${winner ?? "1"}>
        ${names.map((name, at) => html`<option key=${at} value=${`${at + 1}`} selected=${winner === `${at + 1}`}>${name}</option>`)}
      </select></label>
      <label>${say("Spread, as the winner says")} <input name="won" type="number" min="1" max=${finish} required defaultValue=${plus ?? ""} /></label>
      <label>${say("as the loser says, if different")} <input name="lost" type="number" min="1" max=${finish} defaultValue=${minus === plus ? "" : minus} /></label>
      <button class="plain">${say("Enter")}</button>
      ${entered && html`<button class="plain" type="button"
        onClick=${() => send({ command: "withdraw-result", round, table })}>${say("Take it back")}</button>`}
      ${refusal}
    </form>`;
}

/** @param {{table: number}} props */
function Move({ table }) {
  const [send, refusal] = useChange();
  return html`
    <form class="line" onSubmit=${(/** @type {Event} */ event) => send({ command: "move-pair", table, to: Number(valuesOf(event).to) })}>
      <label>${say("Move to table")} <input name="to" type="number" min="1" required /></label>
      <button class="plain">${say("Move")}</button>
      ${refusal}
    </form>`;
}

/** @param {{night: Api.OrganiserView}} props */
export function Cards({ night }) {
  const [chosen, choose] = useState("");
  const card = night.cards.find(({ id }) => `${id}` === chosen);
  return html`
    <section id="cards" aria-labelledby="cards-title">
      <h2 id="cards-title">${say("Cards")}</h2>
      <${Select} label=${say("Card of")} value=${chosen} set=${choose} options=${[["", "–"], ...night.cards.map(({ id, name }) => [id, name])]} />
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
          ${refusal}
        </form>
      </details></td>
    </tr>`;
}

/**
 * Return a function that sends a change, and a line with the reason of the last refusal, "" if it was accepted.
 *
 * @returns {[(change: Api.CommandRequest["change"]) => Promise<boolean>, unknown]}
 */
export function useChange() {
  const [refusal, setRefusal] = useState("");
  const send = async (/** @type {Api.CommandRequest["change"]} */ change) => {
    const answer = await deliver("/api/night", { change }, setRefusal);
    setRefusal(answer.refusal);
    return !answer.refusal;
  };
  return [send, refusal && html`<p class="refusal" role="alert">${refusal}</p>`];
}

/**
 * Return the values of a form's fields by name.
 *
 * @param {Event} event submit event; its default action is prevented
 * @returns {Record<string, string>}
 */
export function valuesOf(event) {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.currentTarget);
  return Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, `${value}`]));
}
