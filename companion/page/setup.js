// @ts-check
/** The set-up page. Its screens are the wizard's questions, all settings, the lights, and the table's health. */

import { LanguageChoice } from "./i18n/chooser.js";
import { say } from "./i18n/language.js";
import { Join } from "./pairing/join.js";
import { Bar } from "./settings/bar.js";
import { Calibration } from "./settings/calibration.js";
import { pause, request } from "./net/request.js";
import { Draft } from "./settings/draft.js";
import { Health } from "./settings/health.js";
import { LightTest, WhiteBalance } from "./settings/strip_tests.js";
import { AllSettings } from "./settings/fields.js";
import { Wizard } from "./settings/wizard.js";
import { facts as about, fetchAbout } from "./ui/about.js";
import { html, render } from "./vendor/preact.js";

const BACK = "table-is-back";
/** Interval of the requests that wait for the end of a restart, and time after which they stop. */
const [AGAIN_MS, TIMEOUT_MS] = [500, 60_000];
const SCREENS = ["questions", "settings", "lights", "health"];

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
  render(html`<${Bar} draft=${draft} restart=${() => restart()} />`, find("bar"));
  addEventListener("hashchange", () => showScreen(draft));
  addEventListener("beforeunload", (event) => {
    if (draft.count) event.preventDefault();
  });
  showScreen(draft);
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
  const isBack = sessionStorage.getItem(BACK);
  sessionStorage.removeItem(BACK);
  return isBack ? say("The table is back, with the new settings.") : "";
}

/** @param {string} text */
function tell(text) {
  find("state").textContent = text;
}

/** @param {Draft} draft */
function showScreen(draft) {
  const first = draft.told.first_run ? "questions" : "settings";
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
  sessionStorage.setItem(BACK, "yes");
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
