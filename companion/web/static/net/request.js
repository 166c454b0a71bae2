// @ts-check
/** Requests to the table. A refusal, and a table that is out of reach, are answers too. */

import { say } from "../i18n/language.js";

const [AGAIN_MS, RETRY_MS] = [1000, 500];
/** Time after which a request without an answer counts as lost. */
export const TIMEOUT_MS = 5000;
/** Time after which a delivery is given up. */
const MAX_AGE_MS = 60000;

/**
 * Answer to a request. `status` is 0 if the table cannot be reached. `value` is the JSON value of the body, or
 * null. `refusal` says why nothing was done, "" if the request was carried out. `retry_s` is the time until the
 * next try, if the answer has one.
 *
 * @typedef {{status: number, value: any, refusal: string, retry_s: number}} Answer
 */

/**
 * Send a value by POST, or read a path without one.
 *
 * @template {string} Path
 * @param {Path} path
 * @param {Api.Request<Path>} [value]
 * @param {RequestInit & {key?: string}} [options] of `fetch`; `key`: the same one if a value is sent again
 * @returns {Promise<Answer>}
 */
export async function request(path, value, { key, ...options } = {}) {
  const headers = { "Content-Type": "application/json", ...(key && { "Idempotency-Key": key }) };
  try {
    const response = await fetch(path, { ...(value && { method: "POST", headers, body: JSON.stringify(value) }), ...options });
    const text = await response.text();
    const found = text ? JSON.parse(text) : null;
    const refusal = response.ok ? "" : found.rule ? `${found.error} (${found.rule})` : found.error;
    return { status: response.status, value: found, refusal, retry_s: Number(response.headers.get("Retry-After")) };
  } catch {
    return { status: 0, value: null, refusal: say("The table cannot be reached."), retry_s: 0 };
  }
}

/**
 * Send a value until the table has answered; the table carries it out once.
 *
 * @template {string} Path
 * @param {Path} path
 * @param {Api.Request<Path>} value
 * @param {(why: string) => void} late is called with the reason before the value is sent again
 */
export async function deliver(path, value, late) {
  const [key, until] = [newKey(), Date.now() + MAX_AGE_MS];
  for (;;) {
    const answer = await request(path, value, { key, signal: AbortSignal.timeout(TIMEOUT_MS) });
    const isAnswered = answer.status && answer.status < 500 && answer.status !== 429;
    if (isAnswered || Date.now() > until) return answer;
    late(answer.refusal);
    await pause(1000 * answer.retry_s || RETRY_MS);
  }
}

/** Return a unique key; browsers offer `randomUUID` only to pages that come by HTTPS. */
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return btoa(String.fromCharCode(...bytes)).replace(/[+/=]/g, (c) => ({ "+": "-", "/": "_" })[c] ?? "");
}

/** @param {number} ms */
export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Fetch a text from the table, however long it is out of reach. @param {string} path */
export async function fetchText(path) {
  for (;;) {
    try {
      const response = await fetch(path, { signal: AbortSignal.timeout(TIMEOUT_MS) });
      if (response.ok) return await response.text();
    } catch {
      // The network may be back in a moment.
    }
    await pause(AGAIN_MS);
  }
}
