// @ts-check
/**
 * Notice of a phone that asks to join. Every page shows it; its code only the page on the table's own
 * machine.
 */

import { say } from "../i18n/language.js";
import { make } from "../ui/dom.js";

/** @typedef {{name: string, right: "score" | "run", side: number | null, for: "code" | "press"}} Joining */

export class JoinRequests {
  /**
   * @param {Iterable<HTMLElement>} places elements that show it
   * @param {boolean} near whether this page may know the code
   * @param {import("../i18n/labels.js").Teams} teams
   * @param {() => void} left the request was granted or has ended
   */
  constructor(places, near, teams, left) {
    this.teams = teams;
    this.places = [...places];
    this.near = near;
    this.left = left;
    /** The last request shown, as JSON. */
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
      place.textContent = joining ? joinRequestWords(joining, code, this.teams) : "";
      if (code) place.append(" ", make("strong", "", code));
    }
  }
}

/**
 * @param {Joining} joining
 * @param {string} code "" if this page does not know it
 * @param {import("../i18n/labels.js").Teams} teams
 */
function joinRequestWords({ name, right, side, for: stage }, code, teams) {
  const who = right === "score"
    ? say("A phone called “{name}” wants to keep score", { name })
    : say("A phone called “{name}” wants to run the table", { name });
  if (stage === "press") return say("{who}: press any button at the table to let it in", { who });
  const hold = side ? say("Enter of {name}", { name: teams[side].name }) : say("Deal");
  return code
    ? say("{who}: hold {hold} for a second to let it in. Its code is", { who, hold })
    : say("{who}: hold {hold} for a second to let it in", { who, hold });
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
