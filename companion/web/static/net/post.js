// @ts-check
/**
 * Requests to the table. A refusal or a network error is returned as a line to show.
 */

import { say } from "../i18n/language.js";

/**
 * @param {string} path
 * @param {object} value
 * @returns {Promise<string>} the refusal in words, empty if it was taken
 */
export async function post(path, value) {
  return (await ask(path, value)).refusal;
}

/**
 * Send a value, or without one read what is there. Return the answer too.
 *
 * @param {string} path
 * @param {object} [value]
 * @returns {Promise<{refusal: string, status?: number, answer?: any}>} `status` of a refusal
 */
export async function ask(path, value) {
  try {
    const headers = { "Content-Type": "application/json" };
    const answer = await fetch(path, value && { method: "POST", headers, body: JSON.stringify(value) });
    if (answer.ok) return { refusal: "", answer: answer.status === 204 ? null : await answer.json() };
    const { error, rule } = await answer.json();
    return { refusal: rule && !error.includes(rule) ? `${error} (${rule})` : error, status: answer.status };
  } catch {
    return { refusal: say("The table cannot be reached.") };
  }
}
