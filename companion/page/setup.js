// @ts-check
/** The set-up page. Its screens are the wizard's questions, all settings, the lights, the table's health, and its network. */

import { many, say, sayings } from "./i18n/language.js";
import { pause, request } from "./net/request.js";
import { remember, takeMark } from "./net/storage.js";
import { Join } from "./pairing/join.js";
import { Calibration, LightTest, WhiteBalance } from "./settings/lights.js";
import { Draft } from "./settings/draft.js";
import { AllSettings } from "./settings/fields.js";
import { Findings, Health, toMend } from "./settings/health.js";
import { Network } from "./settings/network.js";
import { Wizard } from "./settings/wizard.js";
import { facts as about, fetchAbout } from "./ui/about.js";
import { LanguageChoice } from "./ui/forms.js";
import { useStore } from "./ui/store.js";
import { html, render, useLayoutEffect, useState } from "./vendor/preact.js";

const BACK = "table-is-back";
/** Interval of the requests that wait for the end of a restart, and time after which they stop. */
const [AGAIN_MS, TIMEOUT_MS] = [500, 60_000];
const SCREENS = ["questions", "settings", "lights", "health", "network"];
/** Effects of changed settings on the running game. */
const EFFECTS = sayings({
  "next-game": "House rules count from the next game: neither this game nor the match is lost.",
  "new-game": "Another board or other sides begin a new game and a new match; this game stays in the records.",
});

/** @param {string} id */
const find = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
const main = /** @type {HTMLElement} */ (document.querySelector("main"));

await fetchAbout();
render(html`<${LanguageChoice} about=${about} />`, find("language"));
if (about.right === "run") begin();
else letIn();

function letIn() {
  main.dataset.screen = "join";
  tell(say("This phone may not set the board up yet."));
  render(html`<${Join} right="run" done=${() => location.reload()} />`, find("join"));
}

async function begin() {
  const { value, refusal } = await request("/api/settings");
  if (refusal) return trouble(value?.faults ?? [{ text: refusal }]);
  const draft = new Draft(value, async () => void (await fetchAbout()));
  tell([rejectedWords(draft.told) || backWords(), ...draft.told.faults].join("\n").trim());
  render(html`<${Wizard} draft=${draft} leds=${about.leds.length} />`, find("questions"));
  render(html`<${AllSettings} draft=${draft} />`, find("settings"));
  render(html`<${Bar} draft=${draft} />`, find("bar"));
  const first = (await offerNetwork()) || (value.first_run ? "questions" : "settings");
  addEventListener("hashchange", () => showScreen(draft, first));
  addEventListener("beforeunload", (event) => {
    if (draft.count) event.preventDefault();
  });
  showScreen(draft, first);
}

/** Show the board's network if it follows one. Return the name of this screen if it comes first, otherwise "". */
async function offerNetwork() {
  const { value } = await request("/api/network");
  if (!value) return "";
  render(html`<${Network} first=${value} />`, find("network"));
  /** @type {HTMLElement} */ (document.querySelector("nav [href='#network']")).hidden = false;
  return value.stage === "hotspot" ? "network" : "";
}

/** Show the faults of a settings file that cannot be read. @param {{text: string}[]} faults */
function trouble(faults) {
  tell(say("The settings cannot be read."));
  render(html`<ul class="findings">${faults.map(({ text }) => html`<li class="fault">${text}</li>`)}</ul>`, find("health"));
  main.dataset.screen = "health";
}

/** @param {Api.SettingsForm} told */
function rejectedWords({ rejected }) {
  if (!rejected) return "";
  return [
    say("The table did not run with its new settings and is back on those from before."),
    rejected.reason,
    say("Taken back: {values}.", { values: rejected.values.join(", ") }),
  ].join("\n");
}

/** Return a message after a restart that this page has requested, otherwise "". */
function backWords() {
  return takeMark(BACK) ? say("The table is back, with the new settings.") : "";
}

/** @param {string} text */
function tell(text) {
  find("state").textContent = text;
}

/** @param {Draft} draft @param {string} first the screen without a choice of the user */
function showScreen(draft, first) {
  const screen = SCREENS.find((id) => `#${id}` === location.hash) ?? first;
  main.dataset.screen = screen;
  for (const link of document.querySelectorAll("nav a")) {
    if (link.getAttribute("href") === `#${screen}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  render(screen === "lights" && html`<${Lights} draft=${draft} />`, find("lights"));
  render(screen === "health" && html`<h2>${say("What the doctor says")}</h2><${Health} />`, find("health"));
}

/** @param {{draft: Draft}} props */
function Lights({ draft }) {
  return html`
    <h2>${say("Light test")}</h2><${LightTest} />
    <h2>${say("White of the strip")}</h2><${WhiteBalance} saved=${() => draft.reload()} />
    <h2>${say("How the strips lie")}</h2><${Calibration} saved=${() => draft.reload()} />`;
}

/** Restart the table, and reload the page when the table answers again. */
async function restart() {
  const { refusal } = await request("/api/restart", { run: about.run });
  if (refusal) return tell(refusal);
  main.dataset.screen = "waiting";
  find("bar").hidden = true;
  tell(say("The table restarts."));
  if (!(await backAfter(about.run))) {
    return tell(say("The table has not come back here. Perhaps it has another address; if not, its console says why."));
  }
  remember(BACK, "yes", "sessionStorage");
  location.reload();
}

/** Wait until the table is back. Return false after the timeout. @param {string} run before the restart */
async function backAfter(run) {
  for (const until = Date.now() + TIMEOUT_MS; Date.now() < until; ) {
    await pause(AGAIN_MS);
    const { value, refusal } = await request("/api/about");
    if (!refusal && value.run !== run) return true;
  }
  return false;
}

/**
 * Bar below the settings: unsaved changes, changes that need a restart, and faults.
 *
 * @param {{draft: Draft}} props
 */
function Bar({ draft }) {
  useStore(draft);
  const [warned, setWarned] = useState(/** @type {Api.Finding[]} */ ([]));
  const { count, error, stale, told } = draft;
  const acts = draft.acts && !count && !told.pending;
  const faults = [error, ...draft.otherFaults].filter(Boolean);
  useLayoutEffect(() => {
    find("bar").hidden = !(count || told.pending || faults.length || stale || acts);
  });
  const start = async () => {
    const { value, refusal } = await request("/api/doctor");
    const found = refusal ? [] : toMend(value);
    setWarned(found);
    if (!found.length) restart();
  };
  return html`
    ${count > 0 && html`<${Unsaved} draft=${draft} />`}
    <p class="effect" role="status">${acts && say("Saved, and in force.")}</p>
    ${!count && told.pending && (warned.length
      ? html`<${Warned} findings=${warned} />`
      : html`<${Pending} effect=${told.game} start=${start} />`)}
    ${faults.map((text) => html`<p class="fault" role="alert">${text}</p>`)}
    ${stale && html`<button class="plain" type="button" onClick=${() => draft.reload()}>${say("Load what the file says")}</button>`}`;
}

/** @param {{draft: Draft}} props */
function Unsaved({ draft }) {
  const save = async () => {
    if (await draft.save()) return;
    /** @type {HTMLElement | null} */ (document.querySelector(`#${main.dataset.screen} [aria-invalid=true]`))?.focus();
  };
  return html`
    <p>${many(draft.count, "{n} change is not saved.", "{n} changes are not saved.")}</p>
    <button class="plain go" type="button" onClick=${save}>${say("Save")}</button>
    <button class="plain" type="button" onClick=${() => draft.drop()}>${say("Drop")}</button>
    ${EFFECTS[draft.effect] && html`<p class="effect">${EFFECTS[draft.effect]}</p>`}`;
}

/** @param {{effect: string, start: () => void}} props */
function Pending({ effect, start }) {
  return html`
    <p>${say("Saved. It takes effect after a restart.")}</p>
    <button class="plain go" type="button" onClick=${start}>${say("Restart")}</button>
    <p class="effect">${EFFECTS[effect] ?? say("The game goes on.")}</p>`;
}

/** @param {{findings: Api.Finding[]}} props */
function Warned({ findings }) {
  return html`
    <p>${say("With this it may not start, and would come back with the settings from before.")}</p>
    <${Findings} findings=${findings} />
    <button class="plain" type="button" onClick=${restart}>${say("Restart all the same")}</button>`;
}
