// @ts-check
/**
 * The format of the night: title, game, scoring, rounds, tables; and a new night.
 */

import { say } from "../i18n/language.js";
import { html } from "../vendor/preact.js";
import { useChange, valuesOf } from "./change.js";

/** @param {{night: Api.OrganiserView}} props */
export function Format({ night }) {
  const { hall, finish, scoring, tables, planned_rounds: planned } = night;
  const [send, refusal] = useChange();
  const set = (/** @type {Event} */ event) => {
    const values = valuesOf(event);
    const numbers = values.tables.split(",").map((each) => each.trim()).filter(Boolean).map(Number);
    return send({
      command: "set-format", title: values.title, finish: /** @type {121 | 363} */ (Number(values.finish)),
      scoring: /** @type {Api.SetFormat["scoring"]} */ (values.scoring), planned_rounds: Number(values.rounds), tables: numbers,
    });
  };
  return html`
    <section id="format" aria-labelledby="format-title">
      <h2 id="format-title">${say("Format")}</h2>
      <form class="fields" onSubmit=${set}>
        <label>${say("Title on the hall screen")} <input name="title" type="text" maxlength="60" defaultValue=${hall.title} /></label>
        <label>${say("Game")} <select name="finish">
          <option value="363" selected=${finish === 363}>${say("Crib Wars, 363 holes")}</option>
          <option value="121" selected=${finish === 121}>${say("Cribbage, 121 holes")}</option>
        </select></label>
        <label>${say("Game points")} <select name="scoring">
          <option value="crib-wars" selected=${scoring === "crib-wars"}>${say("Crib Wars: win 2, loser not past a third of the track 3")}</option>
          <option value="acc" selected=${scoring === "acc"}>${say("ACC: win 2, by 31 or more 3")}</option>
        </select></label>
        <label>${say("Rounds")} <input name="rounds" type="number" min="1" max="40" required defaultValue=${planned} /></label>
        <label>${say("Numbers of the tables, with commas; empty for 1, 2, 3 and so on")}
          <input name="tables" type="text" inputmode="numeric" pattern="[0-9 ,]*" defaultValue=${tables.join(", ")} /></label>
        <button class="plain">${say("Save")}</button>
      </form>
      <p><button class="plain" type="button" onClick=${() => beginAnew(send)}>${say("Begin a new night with these sides")}</button></p>
      ${refusal && html`<p class="refusal" role="alert">${refusal}</p>`}
    </section>`;
}

/** @param {(change: Api.BeginAnew) => Promise<boolean>} send */
function beginAnew(send) {
  const sure = say("Begin a new night? Rounds, results and corrections of this one are taken off; save them first.");
  if (!confirm(sure)) return;
  const bytes = [...crypto.getRandomValues(new Uint8Array(8))];
  const night = bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");
  send({ command: "begin-anew", night });
}
