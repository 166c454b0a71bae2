// @ts-check
/** The rounds with their games. The tables report the results, or the organiser enters what the sides report. */

import { say, sayings } from "../i18n/language.js";
import { html, useState } from "../vendor/preact.js";
import { useChange, valuesOf } from "./change.js";

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
      ${refusal && html`<p class="refusal" role="alert">${refusal}</p>`}
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
      ${refusal && html`<p class="refusal" role="alert">${refusal}</p>`}
    </form>`;
}

/** @param {{table: number}} props */
function Move({ table }) {
  const [send, refusal] = useChange();
  return html`
    <form class="line" onSubmit=${(/** @type {Event} */ event) => send({ command: "move-pair", table, to: Number(valuesOf(event).to) })}>
      <label>${say("Move to table")} <input name="to" type="number" min="1" required /></label>
      <button class="plain">${say("Move")}</button>
      ${refusal && html`<p class="refusal" role="alert">${refusal}</p>`}
    </form>`;
}
