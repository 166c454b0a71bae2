// @ts-check
/**
 * Who stands at the door: a phone that asks to be let in is told of to everybody, its code only
 * where the table itself shows this page.
 */

import { say } from "../i18n/language.js";
import { make } from "../ui/dom.js";

/** @typedef {{name: string, right: "score" | "run", for: "code" | "press"}} Joining */

export class JoinRequests {
  /**
   * @param {Iterable<HTMLElement>} places that tell of it
   * @param {boolean} near whether this page may know the code
   * @param {() => void} left whoever stood there has been let in, or has gone
   */
  constructor(places, near, left) {
    this.places = [...places];
    this.near = near;
    this.left = left;
    /** What was told last. */
    this.told = "";
  }

  /** @param {Joining | null} joining */
  async show(joining) {
    const now = JSON.stringify(joining);
    if (now === this.told) return;
    this.told = now;
    if (!joining) this.left();
    const code = joining?.for === "code" && this.near ? await fetchCode() : "";
    if (now !== this.told) return;
    for (const place of this.places) {
      place.hidden = joining === null;
      place.textContent = joining ? joinRequestWords(joining, code) : "";
      if (code) place.append(" ", make("strong", "", code));
    }
  }
}

/**
 * @param {Joining} joining
 * @param {string} code what follows, "" if this page does not know it
 */
function joinRequestWords({ name, right, for: stage }, code) {
  const who = right === "score"
    ? say("A phone called “{name}” wants to keep score", { name })
    : say("A phone called “{name}” wants to run the table", { name });
  if (stage === "press") return say("{who}: press any button at the table to let it in", { who });
  return code
    ? say("{who}. Its code is", { who })
    : say("{who}: its code is on the table's console", { who });
}

/** @returns {Promise<string>} */
async function fetchCode() {
  try {
    const answer = await fetch("/api/join");
    return (await answer.json()).waiting?.code ?? "";
  } catch {
    return ""; // the console has it too
  }
}
