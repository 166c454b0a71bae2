// @ts-check
/**
 * Notice of a phone that asks to join. Every page shows it; its code only the page on the table's own
 * machine.
 */

import { say } from "../i18n/language.js";
import { request } from "../net/request.js";
import { html, useEffect, useState } from "../vendor/preact.js";

/** @typedef {{name: string, right: "score" | "run", side: number | null, for: "code" | "press"}} Joining */

/** Hold in seconds that lets a phone in, with a margin for rounding. */
const HOLD_S = 1.1;

/** Return the button whose hold lets a phone in. @param {Joining} joining */
export function buttonOf({ side }) {
  return side ? `${side}.enter` : "deal";
}

/**
 * @param {{joining: Joining | null, about: import("../ui/about.js").About}} props
 */
export function JoinRequest({ joining, about }) {
  const [code, setCode] = useState("");
  const [isHeld, setHeld] = useState(false);
  const canHold = joining?.for === "code" && about.press && about.buttons.includes(buttonOf(joining));
  const hold = async () => {
    setHeld(true);
    await request("/api/press", { button: joining && buttonOf(joining), seconds: HOLD_S });
    setHeld(false);
  };
  useEffect(() => {
    let current = true;
    setCode("");
    if (joining?.for === "code" && about.near) fetchCode().then((found) => current && setCode(found));
    return () => void (current = false);
  }, [JSON.stringify(joining)]);
  return html`
    <p class="join-request" role="status" hidden=${!joining}>
      ${joining && requestWords(joining, code, about.teams)}${code && html`${" "}<strong>${code}</strong>`}
      ${canHold && html`${" "}<button class="plain go" type="button" disabled=${isHeld} onClick=${hold}>${say("Let it in")}</button>`}
    </p>`;
}

/**
 * @param {Joining} joining
 * @param {string} code "" if this page does not know it
 * @param {import("../i18n/labels.js").Teams} teams
 */
function requestWords({ name, right, side, for: stage }, code, teams) {
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
  const { value } = await request("/api/join");
  return value?.waiting?.code ?? ""; // the console has it too
}
