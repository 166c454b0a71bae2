// @ts-check
/**
 * Changes of the game night. They are sent to the organiser's program. A refusal is shown next to the control
 * that sent the change.
 */

import { deliver } from "../net/request.js";
import { useState } from "../vendor/preact.js";

/**
 * Return a function that sends a change, and the reason of the last refusal, "" if it was accepted.
 *
 * @returns {[(change: Api.CommandRequest["change"]) => Promise<boolean>, string]}
 */
export function useChange() {
  const [refusal, setRefusal] = useState("");
  const send = async (/** @type {Api.CommandRequest["change"]} */ change) => {
    const answer = await deliver("/api/night", { change }, setRefusal);
    setRefusal(answer.refusal);
    return !answer.refusal;
  };
  return [send, refusal];
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
