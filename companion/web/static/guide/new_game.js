// @ts-check
/** Dialog for a new game: the sides that play, the people on each side, and the rules. */

import { say } from "../i18n/language.js";
import { request } from "../net/request.js";
import { Dialog } from "../ui/dialog.js";
import { useSending } from "../ui/forms.js";
import { html, useEffect, useState } from "../vendor/preact.js";

const FEWEST_SIDES = 2;

/**
 * @param {{store: import("./guide_store.js").GuideStore, labels: Record<string, Api.SideLabel>, close: () => void}} props
 */
export function NewGame({ store, labels, close }) {
  const [options, setOptions] = useState(/** @type {Api.NewGameOptions | null} */ (null));
  const [refusal, setRefusal] = useState("");
  useEffect(() => {
    request("/api/new-game").then((answer) => {
      setRefusal(answer.refusal);
      if (!answer.refusal) setOptions(answer.value);
    });
  }, []);
  const runs = store.news?.table.winner === null && store.news.seq > 0;
  return html`
    <${Dialog} id="choosing-game" name="short" title=${say("New game")} close=${close}>
      ${options && html`<${Choices} ...${{ labels, close, options }} />`}
      <p class="refusal" role="alert">${refusal}</p>
      ${runs && html`<p class="hint-below">${say("The running game ends; Undo, held for a second, brings it back.")}</p>`}
    <//>`;
}

/** @param {{labels: Record<string, Api.SideLabel>, close: () => void, options: Api.NewGameOptions}} props */
function Choices({ labels, close, options }) {
  const [sides, setSides] = useState(options.teams);
  const [people, setPeople] = useState(options.players / options.teams.length);
  const [preset, setPreset] = useState(options.preset);
  const { send, sends, refusal } = useSending();
  const lanes = Array.from({ length: options.lanes }, (_, at) => at + 1);
  const toggle = (/** @type {number} */ lane) =>
    setSides((now) => lanes.filter((each) => now.includes(each) !== (each === lane)));
  const begin = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const players = /** @type {Api.NewGameRequest["players"]} */ (people * sides.length);
    if (await send("/api/new-game", { teams: sides, players, preset })) close();
  };
  return html`
    <form onSubmit=${begin}>
      <fieldset class="choice">
        <legend>${say("Who plays")}</legend>
        ${lanes.map((lane) => html`
          <label class="option" style=${{ "--side": labels[lane]?.colour }}>
            <input type="checkbox" checked=${sides.includes(lane)} onChange=${() => toggle(lane)} />
            <span>${labels[lane]?.name}</span>
          </label>`)}
      </fieldset>
      <label class="number">${say("People on each side")}${" "}
        <select class="plain" value=${people} onChange=${(/** @type {any} */ event) => setPeople(+event.target.value)}>
          <option value="1">1</option><option value="2">2</option>
        </select>
      </label>
      ${options.presets.length > 1 && html`
        <label class="number">${say("Rules")}${" "}
          <select class="plain" value=${preset} onChange=${(/** @type {any} */ event) => setPreset(event.target.value)}>
            ${options.presets.map((name) => html`<option value=${name}>${rulesWords(options, name)}</option>`)}
          </select>
        </label>`}
      <button class="plain go" type="submit" disabled=${sends || sides.length < FEWEST_SIDES}>${say("Begin")}</button>
      <p class="refusal" role="alert">${refusal}</p>
    </form>`;
}

/**
 * @param {Api.NewGameOptions} options
 * @param {string} name of a set of rules, "" for the rules of the settings
 */
function rulesWords({ settings, words }, name) {
  const rules = words[name || settings];
  if (!rules) return say("The house rules of the settings");
  return name ? rules : say("{rules} (as in the settings)", { rules });
}
