// @ts-check
/** Dialog for a new game: the names of the sides, the rules, and a button for each number of people, which begins it. */

import { say } from "../i18n/language.js";
import { saveSettings } from "../net/request.js";
import { MOST_LETTERS } from "../table/panel.js";
import { Dialog } from "../ui/dialog.js";
import { Select, TextField, useFetched, useSending } from "../ui/forms.js";
import { html, useRef, useState } from "../vendor/preact.js";

/** Numbers of people that can play, each with its number of sides. */
const PEOPLE = /** @type {const} */ ([[2, 2], [3, 3], [4, 2], [6, 3]]);

/** @param {{about: Api.About, news: Api.TableNews, close: () => void}} props */
export function NewGame({ about, news, close }) {
  const { value: options, refusal } = useFetched("/api/new-game");
  return html`
    <${Dialog} id="choosing-game" name="short" title=${say("New game")} close=${close}>
      ${options && html`<${Choices} labels=${about.teams} ...${{ close, options }} />`}
      <p class="refusal" role="alert">${refusal}</p>
      ${news.table.winner === null && news.seq > 0 && html`
        <p class="hint-below">${say("The running game ends; Undo, held for a second, brings it back.")}</p>`}
    <//>`;
}

/** @param {{labels: Record<string, Api.SideLabel>, close: () => void, options: Api.NewGameOptions}} props */
function Choices({ labels, close, options }) {
  const lanes = Object.keys(labels).map(Number);
  const [names, setNames] = useState(() => lanes.map((lane) => labels[lane].name));
  const [pair, setPair] = useState(`${options.teams.length > 2 ? lanes.slice(0, 2) : options.teams}`);
  const [preset, setPreset] = useState(options.preset);
  const isUnderWay = useRef(false);
  const { send, sends, refusal, setRefusal } = useSending();
  const pairs = lanes.flatMap((one) => lanes.slice(one).map((other) => [one, other]));
  const begin = async (/** @type {Api.NewGameRequest["players"]} */ players, /** @type {number} */ sides) => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    const changed = lanes.filter((lane) => names[lane - 1].trim() !== labels[lane].name);
    const changes = Object.fromEntries(changed.map((lane) => [`names.${lane}`, names[lane - 1].trim() || null]));
    const why = changed.length ? await saveSettings(changes, setRefusal) : "";
    const playing = sides > 2 ? lanes : pair.split(",").map(Number);
    if (why) setRefusal(why);
    else if (await send("/api/new-game", { teams: playing, players, preset })) close();
    isUnderWay.current = false;
  };
  return html`
    <form>
      ${lanes.map((lane, at) => html`
        <${TextField} label=${say("Name of side {side}", { side: lane })} style=${{ "--side": labels[lane].colour }} maxlength=${MOST_LETTERS}
          value=${names[at]} set=${(/** @type {string} */ text) => setNames(names.map((name, n) => (n === at ? text : name)))} />`)}
      ${pairs.length > 1 && html`
        <${Select} name="number" class="plain" label=${say("If two sides play")} value=${pair} set=${setPair} options=${pairs.map((sides) => {
          const [first, last] = sides.map((lane) => names[lane - 1]);
          return [`${sides}`, say("{first} and {last}", { first, last })];
        })} />`}
      ${options.presets.length > 1 && html`
        <${Select} name="number" class="plain" label=${say("Rules")} value=${preset} set=${setPreset}
          options=${options.presets.map((name) => [name, rulesWords(options, name)])} />`}
      <p id="how-many">${say("How many are you? The game begins at once.")}</p>
      <div class="choices" role="group" aria-labelledby="how-many">
        ${PEOPLE.filter(([, sides]) => sides <= lanes.length).map(([n, sides]) => html`
          <button class="plain go" type="button" disabled=${sends} onClick=${() => begin(n, sides)}>
            ${n > sides ? say("{n}, two a side", { n }) : n}</button>`)}
      </div>
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
