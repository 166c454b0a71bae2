// @ts-check
/**
 * Changes of the night: each is sent to the organiser's program, and a refusal is shown where it was
 * asked for.
 */

import { deliver } from "../net/request.js";
import { useState } from "../vendor/preact.js";

/**
 * Return a function that sends a change and the line of its refusal, empty if it was taken.
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
 * @param {Event} event its submission, which goes no further
 * @returns {Record<string, string>}
 */
export function valuesOf(event) {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.currentTarget);
  return Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, `${value}`]));
}
