// @ts-check
/**
 * Name of a side on its card, with a button that opens it for editing. Enter or leaving the field saves the name,
 * and Tab goes on to the next name.
 */

import { say } from "../i18n/language.js";
import { deliver, request } from "../net/request.js";
import { html, useState } from "../vendor/preact.js";

/** Largest number of letters of a name. */
export const MOST_LETTERS = 40;

/** @param {{page: import("./page_store.js").PageStore, side: string}} props */
export function SideName({ page, side }) {
  const { name } = page.about.teams[side];
  const [isEdited, setEdited] = useState(false);
  if (!isEdited) {
    return html`
      <h2>${name}</h2>
      ${page.about.right === "run" && html`
        <button class="rename" type="button" title=${say("Change the name")} aria-label=${say("Change the name {name}", { name })}
          onClick=${() => setEdited(true)}></button>`}`;
  }
  const finish = async (/** @type {Event} */ { currentTarget }) => {
    const entered = /** @type {HTMLInputElement} */ (currentTarget).value.trim();
    setEdited(false);
    if (entered !== name) page.feedback.show(await rename({ [`names.${side}`]: entered || null }, (why) => page.feedback.show(why, side)), side);
  };
  const decide = (/** @type {KeyboardEvent} */ event) => {
    const input = /** @type {HTMLInputElement} */ (event.currentTarget);
    if (event.key === "Escape") input.value = name;
    if (event.key === "Escape" || event.key === "Enter") input.blur(); // leaving the field calls `finish`
    if (event.key === "Tab") editNext(event, event.shiftKey ? -1 : 1);
  };
  return html`
    <input class="rename" maxlength=${MOST_LETTERS} autocomplete="off" enterkeyhint="done" aria-label=${say("Name of {name}", { name })}
      ref=${(/** @type {HTMLInputElement | null} */ input) => input && input !== document.activeElement && input.select()}
      defaultValue=${name} onKeyDown=${decide} onBlur=${finish} />`;
}

/**
 * Edit the next or previous name, if there is one, so that all names can be entered one after another.
 *
 * @param {KeyboardEvent} event
 * @param {number} step
 */
function editNext(event, step) {
  const names = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".rename")]);
  const next = names[names.indexOf(/** @type {HTMLElement} */ (event.currentTarget)) + step];
  if (!next) return;
  event.preventDefault();
  next.click();
}

/** Result of the last save. Saves run one after another, because two requests at once would conflict. */
let last = Promise.resolve("");

/**
 * Save names of sides. Return the refusal, or "" if the names are saved.
 *
 * @param {Record<string, string | null>} changes by setting, such as `names.1`; null restores the default name
 * @param {(why: string) => void} late called with the reason of a delay
 */
export function rename(changes, late) {
  last = last.then(async () => {
    const { value, refusal } = await request("/api/settings");
    if (refusal) return refusal;
    return (await deliver("/api/settings", { changes, stamp: value.stamp }, late)).refusal;
  });
  return last;
}
