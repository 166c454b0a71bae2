// @ts-check
/**
 * Test patterns on the strip.
 */

import { answered, isDone } from "./draft.js";
import { say, sayings } from "../i18n/language.js";
import { make } from "../ui/dom.js";

/** @type {Record<string, string>} */
const PATTERNS = sayings({
  order: "Colours",
  index: "Each its own",
  white: "White",
  zones: "Zones",
});
/** @type {Record<string, string>} */
const SEEN = sayings({
  order: "All of a wire in red, then green, then blue, three seconds each.",
  index: "Every light in a colour of its own, the first three red, green and blue.",
  white: "White that rises from nothing to full, as far as the supply allows.",
  zones: "The print of the board: zones, paths and marks.",
});

/** Return buttons for all patterns, with the expected picture in words. */
export function lightTest() {
  const place = make("div", "light-test");
  const row = make("div", "buttons-row");
  const seen = make("p", "seen");
  const lines = make("ul", "lines");
  const fault = make("p", "fault");
  seen.setAttribute("role", "status");
  fault.setAttribute("role", "alert");

  /** @param {string | null} pattern */
  const ask = async (pattern) => {
    const answer = await answered("/api/lights-test", { pattern });
    const done = isDone(answer);
    fault.textContent = done ? "" : answer.value.error;
    seen.textContent = done && pattern ? `${SEEN[pattern]} ${say("Any press at the table ends it.")}` : "";
    const notes = done ? answer.value.lines : [];
    lines.replaceChildren(...notes.map((/** @type {string} */ note) => make("li", "", note)));
    for (const each of row.children) {
      each.setAttribute("aria-pressed", `${done && each.getAttribute("data-pattern") === pattern}`);
    }
  };
  for (const [pattern, name] of Object.entries(PATTERNS)) row.append(button(name, pattern, ask));
  const off = button(say("End"), "", () => ask(null));
  place.append(row, seen, lines, fault);
  row.append(off);
  return place;
}

/**
 * @param {string} name
 * @param {string} pattern
 * @param {(pattern: string) => void} ask
 */
function button(name, pattern, ask) {
  const one = /** @type {HTMLButtonElement} */ (make("button", "plain", name));
  one.type = "button";
  one.dataset.pattern = pattern;
  one.addEventListener("click", () => ask(pattern));
  return one;
}
