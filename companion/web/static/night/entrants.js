// @ts-check
/**
 * The sides of the night: pasted as a list, renamed, gone, back.
 */

import { many, say } from "../i18n/language.js";
import { html } from "../vendor/preact.js";
import { useChange, valuesOf } from "./change.js";

/** @param {{entrants: Api.EntrantView[]}} props */
export function Entrants({ entrants }) {
  const [send, refusal] = useChange();
  const playing = entrants.filter((each) => each.playing).length;
  const add = async (/** @type {Event} */ event) => {
    const form = /** @type {HTMLFormElement} */ (event.currentTarget);
    if (await send({ command: "add-entrants", lines: valuesOf(event).lines })) form.reset();
  };
  return html`
    <section id="entrants" aria-labelledby="entrants-title">
      <h2 id="entrants-title">${say("Sides")}</h2>
      <p>${many(playing, "{n} side plays.", "{n} sides play.")} ${say("A line each; & between the players of one side.")}</p>
      <form class="line" onSubmit=${add}>
        <textarea name="lines" rows="4" required aria-label=${say("Sides to add, a line each")}></textarea>
        <button class="plain">${say("Add")}</button>
      </form>
      ${refusal && html`<p class="refusal" role="alert">${refusal}</p>`}
      <ul class="entrants">${entrants.map((entrant) => html`<${Row} key=${entrant.id} entrant=${entrant} />`)}</ul>
    </section>`;
}

/** @param {{entrant: Api.EntrantView}} props */
function Row({ entrant }) {
  const { id, name, playing, seated } = entrant;
  const [send, refusal] = useChange();
  const set = (/** @type {Partial<Api.SetEntrant>} */ changed) => send({ command: "set-entrant", id, name, playing, ...changed });
  const leave = () => (seated ? set({ playing: false }) : send({ command: "remove-entrant", id }));
  return html`
    <li class=${playing ? "" : "gone"}>
      <input type="text" value=${name} aria-label=${say("Name of {name}", { name })}
        onChange=${(/** @type {{currentTarget: HTMLInputElement}} */ { currentTarget }) => set({ name: currentTarget.value })} />
      ${playing
        ? html`<button class="plain" type="button" onClick=${leave}
            aria-label=${seated ? say("{name} leaves", { name }) : say("Take {name} off the list", { name })}>${seated ? say("Leaves") : say("Remove")}</button>`
        : html`<button class="plain" type="button" aria-label=${say("{name} is back", { name })}
            onClick=${() => set({ playing: true })}>${say("Is back")}</button>`}
      ${refusal && html`<p class="refusal" role="alert">${refusal}</p>`}
    </li>`;
}
