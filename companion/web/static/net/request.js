// @ts-check
/**
 * Requests to the table. A refusal, and a table that is out of reach, are answers too.
 */

import { say } from "../i18n/language.js";

const AGAIN_MS = 1000;

/**
 * Answer to a request. `status`: 0 if the table cannot be reached; `value`: from the JSON of its body, null
 * without one; `refusal`: why nothing was done, in words, "" if it was; `retry_s`: when to try again, if
 * the answer says so.
 *
 * @typedef {{status: number, value: any, refusal: string, retry_s: number}} Answer
 */

/**
 * Send a value by POST, or read a path without one.
 *
 * @param {string} path
 * @param {object} [value]
 * @param {RequestInit} [options] of `fetch`
 * @returns {Promise<Answer>}
 */
export async function request(path, value, options) {
  const headers = { "Content-Type": "application/json" };
  try {
    const response = await fetch(path, { ...(value && { method: "POST", headers, body: JSON.stringify(value) }), ...options });
    const text = await response.text();
    const found = text ? JSON.parse(text) : null;
    const refusal = response.ok ? "" : refusalWords(found);
    return { status: response.status, value: found, refusal, retry_s: Number(response.headers.get("Retry-After")) };
  } catch {
    return { status: 0, value: null, refusal: say("The table cannot be reached."), retry_s: 0 };
  }
}

/**
 * Fetch a text from the table, however long it is out of reach.
 *
 * @param {string} path
 */
export async function fetchText(path) {
  for (;;) {
    try {
      const response = await fetch(path);
      if (response.ok) return await response.text();
    } catch {
      // The network may be back in a moment.
    }
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}

/** @param {{error: string, rule?: string}} refusal */
function refusalWords({ error, rule }) {
  return rule ? `${error} (${rule})` : error;
}
