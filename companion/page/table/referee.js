// @ts-check
/** The referee's dialog. The user looks up what went wrong, and sends the penalty or claim that follows from it. */

import { many, say } from "../i18n/language.js";
import { Dialog } from "../ui/dialog.js";
import { Choice, Points, TextField, useFetched, useSending } from "../ui/forms.js";
import { html, useLayoutEffect, useRef, useState } from "../vendor/preact.js";
import { Preview, usePreview } from "./preview.js";
import { actions, chosen, mugginsRuling, valuesOf } from "./referee_forms.js";

/** @typedef {import("../ui/forms.js").Option} Option */
/** @typedef {import("./referee_forms.js").Action} Action */
/** @type {{rulings: Api.Ruling[], grants: Api.Grants | null, computers: number[]}} */
const NO_ANSWER = { rulings: [], grants: null, computers: [] };

/** @param {{sides: Option[], close: () => void}} props */
export function Referee({ sides, close }) {
  const [search, setSearch] = useState("");
  const { value, refusal } = useFetched("/api/referee");
  const { rulings, grants, computers } = /** @type {typeof NO_ANSWER} */ (value ?? NO_ANSWER);
  const all = grants?.erring.length ? [mugginsRuling(), ...rulings] : rulings;
  const { found, hasAll } = nearest(all, search);
  const head = html`
    <${TextField} name="" label=${say("What went wrong?")} type="search" enterkeyhint="search" autofocus value=${search} set=${setSearch} />
    <p class="found" role="status">${refusal || (grants && foundWords(found.length, hasAll))}</p>`;
  return html`
    <${Dialog} id="referee" title=${say("Referee")} ...${{ close, head }}>
      <ul class="rulings">${grants && found.map((ruling) => html`
        <li class="ruling" key=${ruling.rule + ruling.what}>
          <h3>${ruling.what}${" "}<span class="rule">${ruling.rule}</span></h3>
          <p class="follows">${ruling.follows}</p>
          ${actions(ruling, sides, grants, computers).map((action) => html`
            <details class="action" name="action" onToggle=${bringIntoView}>
              <summary class="plain" aria-label=${`${action.opens}, ${ruling.rule}`}>${action.opens}</summary>
              <${ActionForm} ...${{ action, close }} />
            </details>`)}
        </li>`)}
        <li class="follows">${say("A wrong press is no fault: Undo takes it back, and Correct changes an earlier count. Undo, held for a second, takes back a ruling too.")}</li>
      </ul>
    <//>`;
}

/**
 * Return the rulings that contain the most of the searched words. `hasAll` is true if they contain all words.
 *
 * @param {Api.Ruling[]} rulings
 * @param {string} search
 */
function nearest(rulings, search) {
  const words = plain(search).split(/\s+/);
  const hits = rulings.map(({ rule, what, follows, words: more }) => {
    const text = plain(`${rule} ${what} ${follows} ${more}`);
    return words.filter((word) => text.includes(word)).length;
  });
  const most = Math.max(...hits);
  return { found: most ? rulings.filter((_, at) => hits[at] === most) : [], hasAll: most === words.length };
}

/** Return a text in lower case without accents. @param {string} text */
function plain(text) {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

/** @param {number} count @param {boolean} hasAll */
function foundWords(count, hasAll) {
  if (!count) return say("No ruling has these words");
  return hasAll ? many(count, "{n} ruling", "{n} rulings") : say("No ruling has all these words; the nearest are:");
}

/** @param {Event} event */
function bringIntoView({ currentTarget }) {
  const { open } = /** @type {HTMLDetailsElement} */ (currentTarget);
  if (open) /** @type {Element} */ (currentTarget).scrollIntoView({ block: "nearest" });
}

/** @param {{action: Action, close: () => void}} props */
function ActionForm({ action, close }) {
  const [entered, setEntered] = useState({});
  const [isAsked, setAsked] = useState(false);
  const { send, sends, refusal } = useSending();
  const { fields, values, isComplete } = valuesOf(action.fields, entered);
  const command = isComplete ? action.command(values) : null;
  const preview = usePreview(command);
  const choices = preview.effects?.choices ?? {};
  const set = (/** @type {string} */ name) => (/** @type {any} */ value) => {
    const offeredAnew = fields.filter(({ many, other }) => many && other === name);
    setEntered({ ...entered, ...Object.fromEntries(offeredAnew.map((field) => [field.name, undefined])), [name]: value });
    setAsked(false);
  };
  const carryOut = async () => {
    if (command && (await send("/api/command", command))) close();
  };
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (action.question) setAsked(true);
    else carryOut();
  };
  return html`
    <form onSubmit=${submit}>
      ${fields.map(({ name, legend, options, takers }) => options
        ? html`<${Choice} key=${name} ...${{ name, legend, options }} set=${set(name)}
            ...${takers ? { choices, value: chosen(values[name], choices) } : { value: values[name] }} />`
        : html`<${Points} key=${name} legend=${legend} value=${values[name]} set=${set(name)} />`)}
      <${Preview} ...${preview} />
      <${Confirmation} ...${{ does: action.does, isAsked, sends, setAsked, carryOut }} question=${isAsked && action.question?.(values)} />
      <p class="refusal" role="alert">${refusal}</p>
    </form>`;
}

/**
 * Button that sends a form. If the action has a question, the user must answer it on a second button.
 *
 * @param {{does: string, isAsked: boolean, sends: boolean, question: string, setAsked: (is: boolean) => void,
 *   carryOut: () => void}} props
 */
function Confirmation({ does, isAsked, sends, question, setAsked, carryOut }) {
  const go = useRef(/** @type {HTMLElement | null} */ (null));
  const no = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => {
    if (isAsked) no.current?.focus(); // a key held too long must not confirm
  }, [isAsked]);
  const refuse = () => {
    setAsked(false);
    requestAnimationFrame(() => go.current?.focus());
  };
  return html`
    <button class="plain go" type="submit" hidden=${isAsked} disabled=${sends} ref=${go}>${does}</button>
    ${isAsked && html`
      <div class="confirmation" role="group" aria-label=${question}>
        <p class="question">${question}</p>
        <button class="plain" type="button" onClick=${refuse} ref=${no}>${say("No")}</button>
        <button class="plain go" type="button" disabled=${sends} onClick=${carryOut}>${say("Yes, it is so")}</button>
      </div>`}`;
}
