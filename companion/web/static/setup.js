// @ts-check
/**
 * The set-up page: questions, all settings, the lights, health.
 */

import { fetchAbout, readAbout } from "./ui/about.js";
import { Calibration } from "./settings/calibration.js";
import { Draft, answered, isDone } from "./settings/draft.js";
import { Join } from "./pairing/join.js";
import { many, say, sayings } from "./i18n/language.js";
import { lightTest } from "./settings/light_test.js";
import { make } from "./ui/dom.js";
import { showSettings, teamColours } from "./settings/settings.js";
import { Wizard } from "./settings/wizard.js";

const AGAIN_MS = 500;
const PATIENCE_MS = 60_000;
/** @type {Record<string, string>} */
const LEVELS = sayings({ ok: "In order", note: "Worth knowing", fix: "To be mended" });

/** Effects of changed settings on the running game. @type {Record<string, string>} */
const EFFECTS = sayings({
  "next-game": "House rules count from the next game: neither this game nor the match is lost.",
  "new-game": "Another board or other sides begin a new game and a new match; this game stays in the records.",
});

/** @param {string} id */
const find = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
const main = /** @type {HTMLElement} */ (document.querySelector("main"));

const about = readAbout(await fetchAbout());
for (const [team, { colour }] of Object.entries(about.teams)) teamColours[team] = colour;
if (about.right === "run") begin();
else letIn();

function letIn() {
  main.dataset.screen = "join";
  tell(say("This phone may not set the board up yet."));
  new Join(find("join"), "run", () => location.reload());
}

async function begin() {
  const answer = await answered("/api/settings");
  if (!isDone(answer)) return trouble(answer.value);
  const draft = new Draft(answer.value);
  tell(rejectedWords(draft.told));
  showSettings(find("settings"), draft);
  new Wizard(find("questions"), draft, {
    lightTest,
    calibration: () => new Calibration(() => draft.reload()).place,
    findings: () => {
      const health = findings();
      health.look();
      return health.place;
    },
    done: () => location.assign("/"),
  });
  const health = findings();
  find("health").replaceChildren(make("h2", "", say("What the doctor says")), health.place);
  draft.watchers.push(() => showBar(draft));
  showBar(draft);
  const shown = { health: health.look, lights: () => showLights(draft) };
  addEventListener("hashchange", () => showScreen(draft, shown));
  addEventListener("beforeunload", (event) => {
    if (draft.count) event.preventDefault();
  });
  showScreen(draft, shown);
}

/**
 * Show the faults of a settings file that cannot be used; an editor must mend it.
 *
 * @param {{error: string, faults?: {text: string}[]}} refusal
 */
function trouble({ error, faults }) {
  tell(say("The settings cannot be read."));
  const lines = (faults ?? [{ text: error }]).map(({ text }) => make("li", "fault", text));
  const list = make("ul", "findings");
  list.append(...lines);
  find("health").replaceChildren(list);
  main.dataset.screen = "health";
}

/** @param {import("./settings/draft.js").Settings} told */
function rejectedWords({ rejected }) {
  if (!rejected) return "";
  const { file, reason } = rejected;
  return [
    say("The table did not start with its new settings and is back on those from before."),
    reason || say("It was not ready in time."),
    say("The new ones lie in {file}.", { file }),
  ].join("\n");
}

/** @param {string} text */
function tell(text) {
  find("state").textContent = text;
}

/**
 * @param {Draft} draft
 * @param {Record<string, () => void>} shown what is done where a part is shown
 */
function showScreen(draft, shown) {
  const first = draft.told.first_run ? "questions" : "settings";
  const screen = ["questions", "settings", "lights", "health"].find((id) => `#${id}` === location.hash) ?? first;
  main.dataset.screen = screen;
  for (const link of document.querySelectorAll("nav a")) {
    if (link.getAttribute("href") === `#${screen}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  shown[screen]?.();
}

/** @param {Draft} draft */
function showLights(draft) {
  find("lights").replaceChildren(
    make("h2", "", say("Light test")),
    lightTest(),
    make("h2", "", say("How the strips lie")),
    new Calibration(() => draft.reload()).place,
  );
}

/** Return the findings of the doctor, fetched by `look`. */
function findings() {
  const place = make("div", "health");
  const list = make("ul", "findings");
  const state = make("p", "seen", "");
  state.setAttribute("role", "status");
  const look = async () => {
    state.textContent = say("Looking");
    const answer = await answered("/api/doctor");
    const done = isDone(answer);
    const told = done ? answer.value : [];
    const faults = told.filter((/** @type {{level: string}} */ { level }) => level === "fix").length;
    state.textContent = done ? healthWords(faults) : answer.value.error;
    list.replaceChildren(...told.map(finding));
  };
  const again = action(say("Look again"), look);
  place.append(state, list, again);
  return { place, look };
}

/** @param {number} faults */
function healthWords(faults) {
  if (!faults) return say("Nothing is to be mended.");
  return many(faults, "{n} thing is to be mended.", "{n} things are to be mended.");
}

/** @param {{level: string, what: string, why: string, remedy: string}} told */
function finding({ level, what, why, remedy }) {
  const row = make("li", `finding ${level}`);
  row.append(make("span", "level", LEVELS[level]), make("strong", "", what), make("p", "", why));
  if (remedy) row.append(make("p", "remedy", remedy));
  return row;
}

/** @param {Draft} draft */
function showBar(draft) {
  const bar = find("bar");
  const { count, error, stale, told } = draft;
  const rows = [];
  if (count) {
    const keep = action(say("Save"), () => save(draft));
    keep.classList.add("go");
    const words = many(count, "{n} change is not saved.", "{n} changes are not saved.");
    rows.push(make("p", "", words), keep, action(say("Drop"), () => draft.drop()));
    if (EFFECTS[draft.effect]) rows.push(make("p", "effect", EFFECTS[draft.effect]));
  } else if (told.pending) {
    const anew = action(say("Start anew"), () => restartIfSound());
    anew.classList.add("go");
    rows.push(make("p", "", say("Saved. It counts once the table is started anew.")), anew);
    rows.push(make("p", "effect", EFFECTS[told.game] || say("The game goes on.")));
  }
  for (const text of [error, ...draft.otherFaults].filter(Boolean)) {
    const fault = make("p", "fault", text);
    fault.setAttribute("role", "alert");
    rows.push(fault);
  }
  if (stale) rows.push(action(say("Load what the file says"), () => draft.reload()));
  bar.hidden = rows.length === 0;
  keepFocus(bar, rows);
}

/**
 * Fill the bar and keep the focus in it.
 *
 * @param {HTMLElement} bar
 * @param {HTMLElement[]} rows
 */
function keepFocus(bar, rows) {
  const was = bar.contains(document.activeElement);
  const words = rows.map((row) => row.textContent).join("|");
  if (words === bar.dataset.words) return;
  bar.dataset.words = words;
  bar.replaceChildren(...rows);
  if (was) bar.querySelector("button")?.focus();
}

/** @param {Draft} draft */
async function save(draft) {
  if (await draft.save()) return;
  const first = /** @type {HTMLElement | null} */ (
    main.querySelector(`#${main.dataset.screen} [aria-invalid=true]`)
  );
  first?.focus();
}

/** Have the table started anew, unless the doctor says that it would not come back so. */
async function restartIfSound() {
  const told = await answered("/api/doctor");
  const faults = isDone(told) ? told.value.filter((/** @type {{level: string}} */ { level }) => level === "fix") : [];
  if (!faults.length) return restart();
  const list = make("ul", "findings");
  list.append(...faults.map(finding));
  const anyway = action(say("Start anew all the same"), () => restart());
  keepFocus(find("bar"), [make("p", "", say("With this it may not start, and would come back with the settings from before.")), list, anyway]);
}

/** Have the table started anew, and come back when it is there. */
async function restart() {
  const answer = await answered("/api/restart", { run: about.run });
  if (!isDone(answer)) return tell(answer.value.error);
  main.dataset.screen = "waiting";
  find("bar").hidden = true;
  tell(say("The table starts anew."));
  const until = Date.now() + PATIENCE_MS;
  while (Date.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    const now = await answered("/api/about");
    if (isDone(now) && now.value.run !== about.run) return location.reload();
  }
  tell(say("The table has not come back here. It may have another address; else its console says why."));
}

/**
 * @param {string} words
 * @param {() => void} act
 */
function action(words, act) {
  const one = /** @type {HTMLButtonElement} */ (make("button", "plain", words));
  one.type = "button";
  one.addEventListener("click", act);
  return one;
}
