// @ts-check
/**
 * Restarts of the table, as the page sees them: its run is another afterwards.
 */

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
    const now = await runOf();
    if (now && now !== run) return now;
  }
  return null;
}

/** @returns {Promise<string | null>} null while the table is away */
async function runOf() {
  try {
    const answer = await fetch("/api/about");
    return answer.ok ? (await answer.json()).run : null;
  } catch {
    return null;
  }
}
