// @ts-check
/**
 * Pairing of this phone: its name, then a button held at the table; or the code that the table shows,
 * and a press of any button.
 */

import { say } from "../i18n/language.js";
import { request } from "../net/request.js";
import { recall, remember } from "../net/storage.js";
import { Dialog } from "../ui/dialog.js";
import { valueOf } from "../ui/forms.js";
import { html, useEffect, useLayoutEffect, useRef, useState } from "../vendor/preact.js";

const STORED_AS = "visit";
const RETRY_MS = 1000;
/** Statuses of a wrong code, and of too many: the same code can be entered again. */
const [WRONG, TOO_OFTEN] = [403, 429];

/** The dialog in which this phone asks to run the table. @param {{close: () => void}} props */
export function Joining({ close }) {
  return html`
    <${Dialog} id="joining" title=${say("Join to run the table")} close=${close}>
      <div class="join"><${Join} right="run" done=${() => location.reload()} /></div>
    <//>`;
}

/**
 * @param {{right: "score" | "run", done: () => void, own?: {side: string, name: string}}} props `right`: what
 *   this phone asks for; `done` is called once it is let in; `own`: the side for which it keeps score
 */
export function Join({ right, done, own }) {
  const [visit, setVisit] = useState(openVisit);
  const [isPressAwaited, setPressAwaited] = useState(false);
  const [refusal, setRefusal] = useState("");
  /** Request whose answer counts; the hold's does not while a press is awaited. */
  const current = useRef("");
  current.current = isPressAwaited ? "" : visit;
  const end = (/** @type {string} */ why) => {
    store("", 0);
    setVisit("");
    setPressAwaited(false);
    setRefusal(why);
    if (!why) done();
  };
  const requestCode = async (/** @type {string} */ name) => {
    const answer = await request("/api/join", { name: name.trim() || say("a phone"), right, side: Number(own?.side) || null });
    setRefusal(answer.refusal);
    if (answer.refusal) return;
    store(answer.value.visit, Date.now() + 1000 * answer.value.seconds);
    setVisit(answer.value.visit);
  };
  const sendCode = async (/** @type {string} */ code) => {
    setRefusal("");
    setPressAwaited(true);
    const answer = await request(`/api/join/${visit}`, { code });
    if (answer.status !== WRONG && answer.status !== TOO_OFTEN) return end(answer.refusal);
    setPressAwaited(false);
    setRefusal(answer.refusal);
  };
  /** Wait for the button held at the table, as long as this request is open; the code may come first. */
  const waitForHold = async () => {
    const answer = await request(`/api/join/${visit}/hold`, {});
    if (visit !== current.current) return;
    if (!answer.refusal || answer.status) end(answer.refusal);
    else setTimeout(() => visit === current.current && waitForHold(), RETRY_MS);
  };
  useEffect(() => {
    if (visit) waitForHold();
  }, [visit]);
  return html`
    ${!visit && html`
      <${Step} key="name" lead=${say("First the table must know this phone.")} label=${say("What is this phone called?")}
        does=${say("Join")} refusal=${refusal} act=${requestCode}
        input=${{ name: "name", maxLength: 40, autocomplete: "off", placeholder: "Anna" }} />`}
    ${visit && html`
      <${Step} key="code" hidden=${isPressAwaited} does=${say("Send the code")} refusal=${refusal} act=${sendCode}
        lead=${own ? say("Hold Enter of {name} at the table for a second.", own) : say("Hold Deal at the table for a second.")}
        label=${say("Or enter the six digits that the table's screen or console shows")}
        input=${{ name: "code", maxLength: 6, pattern: "[0-9]{6}", inputMode: "numeric", autocomplete: "one-time-code", placeholder: "000000" }} />`}
    <p class="press" role="status">${isPressAwaited && say("Now press any button at the table.")}</p>
    <p class="refusal" role="alert">${refusal}</p>`;
}

/**
 * A form with one field, which has the focus after a refusal.
 *
 * @param {{lead: string, label: string, does: string, input: object, refusal: string, hidden?: boolean,
 *   act: (value: string) => void}} props
 */
function Step({ lead, label, does, input, refusal, hidden, act }) {
  const [value, setValue] = useState("");
  const field = useRef(/** @type {HTMLInputElement | null} */ (null));
  useLayoutEffect(() => {
    if (refusal) field.current?.select();
  }, [refusal]);
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    act(value);
  };
  return html`
    <form hidden=${hidden} onSubmit=${submit}>
      <p class="lead">${lead}</p>
      <label class="field">${label}${" "}
        <input type="text" required ...${input} ref=${field} value=${value}
          onInput=${(/** @type {Event} */ event) => setValue(valueOf(event))} />
      </label>
      <button class="plain go" type="submit">${does}</button>
    </form>`;
}

/** Return the id of this phone's open request, which survives a reload; "" without one. @returns {string} */
function openVisit() {
  const { visit, until } = JSON.parse(recall(STORED_AS, "sessionStorage") ?? "{}");
  return until > Date.now() ? visit : "";
}

/**
 * @param {string} visit
 * @param {number} until
 */
function store(visit, until) {
  remember(STORED_AS, JSON.stringify({ visit, until }), "sessionStorage");
}
