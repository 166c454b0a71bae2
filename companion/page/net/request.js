// @ts-check
/** Requests to the table. They do not throw: a refusal and an unreachable table are answers too. */

import { say } from "../i18n/language.js";

const [AGAIN_MS, RETRY_MS] = [1000, 500];
/** Time after which a request without an answer counts as lost. */
export const TIMEOUT_MS = 5000;
/** Time after which `deliver` stops repeating a request. */
const MAX_AGE_MS = 60000;

/**
 * Answer to a request. `status` is 0 if the table cannot be reached. `value` is the JSON value of the body, or
 * null. `refusal` says why the request failed, "" if it was carried out. `retry_s` is the `Retry-After`
 * of the answer in seconds, 0 without that header.
 *
 * @typedef {{status: number, value: any, refusal: string, retry_s: number}} Answer
 */

/**
 * Send a value by POST. Without a value, send a GET request.
 *
 * @template {string} Path
 * @param {Path} path
 * @param {Api.Request<Path>} [value]
 * @param {RequestInit & {key?: string}} [options] of `fetch`; `key`: idempotency key, the same for each repetition
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
 * Send a value until the table answers, at most for `MAX_AGE_MS`. All repetitions have one key, so it acts once.
 *
 * @template {string} Path
 * @param {Path} path
 * @param {Api.Request<Path>} value
 * @param {(why: string) => void} late receives the reason before each repetition
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

/** Result of the last `saveSettings`. Saves run one after another, because two requests at once would conflict. */
let lastSave = Promise.resolve("");

/**
 * Save settings of the table. Return the refusal, or "" if they are saved.
 *
 * @param {Record<string, string | null>} changes by setting, such as `names.1`; null restores the default
 * @param {(why: string) => void} late called with the reason of a delay
 */
export function saveSettings(changes, late) {
  lastSave = lastSave.then(async () => {
    const { value, refusal } = await request("/api/settings");
    if (refusal) return refusal;
    return (await deliver("/api/settings", { changes, stamp: value.stamp }, late)).refusal;
  });
  return lastSave;
}

/** Return a unique key. Browsers offer `randomUUID` only to pages served by HTTPS. */
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return btoa(String.fromCharCode(...bytes)).replace(/[+/=]/g, (c) => ({ "+": "-", "/": "_" })[c] ?? "");
}

/** @param {number} ms */
export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Fetch a text from the table. Retry until the table answers. @param {string} path */
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
