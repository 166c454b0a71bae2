// @ts-check
/**
 * Sending to the table: what is refused, or cannot be sent, comes back as a line to show.
 */

/**
 * @param {string} path
 * @param {object} value
 * @returns {Promise<string>} the refusal in words, empty if it was taken
 */
export async function post(path, value) {
  try {
    const answer = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(value),
    });
    if (answer.ok) return "";
    const { error, rule } = await answer.json();
    return rule && !error.includes(rule) ? `${error} (${rule})` : error;
  } catch {
    return "The table cannot be reached.";
  }
}
