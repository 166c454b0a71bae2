// @ts-check
/**
 * Restarts of the table, as the page sees them: its run is another afterwards.
 */

import { request } from "../net/request.js";

const AGAIN_MS = 500;
const PATIENCE_MS = 60_000;

/**
 * Wait until the table is back after a restart. Return its new run, null if it does not come back.
 *
 * @param {string} run before
 * @returns {Promise<string | null>}
 */
export async function backAfter(run) {
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until; ) {
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    const { value, refusal } = await request("/api/about");
    if (!refusal && value.run !== run) return value.run;
  }
  return null;
}
