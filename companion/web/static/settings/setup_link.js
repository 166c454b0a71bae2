// @ts-check
/**
 * Links from the live board to the set-up for phones that may run the table, and a notice to all if
 * its last settings failed.
 */

/** @param {import("../ui/about.js").About} about */
export function showSetupLinks({ right, first_run, reverted }) {
  const shown = { "set-up": right === "run", "first-run": right === "run" && first_run, reverted };
  for (const [id, is] of Object.entries(shown)) {
    const place = document.getElementById(id);
    if (place) place.hidden = !is;
  }
}
