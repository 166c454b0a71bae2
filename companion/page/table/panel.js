// @ts-check
/** Panel beside the board: the numbers and buttons of each side, and the buttons of the table. */

import { onPath, padWords } from "../i18n/labels.js";
import { many, say } from "../i18n/language.js";
import { saveSettings } from "../net/request.js";
import { classes } from "../ui/dialog.js";
import { html, useState } from "../vendor/preact.js";
import { adviceWords } from "./adviser.js";
import { FadingLine } from "./feedback.js";
import { chancesOf, sideWords } from "./standing.js";

/** @typedef {import("./page_store.js").PageStore} PageStore */

/** Numbers of letters above which a name has a line of its own, and a smaller font there. */
const [LONG_NAME, LONGEST_NAME] = [8, 20];
/** Largest number of letters of a name. */
export const MOST_LETTERS = 40;

/**
 * Labels of this keyboard's keys by code, if the browser knows them. Other keys have their English label.
 *
 * @type {Map<string, string>}
 */
let written = new Map();

/**
 * @param {{page: PageStore, own: string}} props `own`: side whose cards are on this page, or "". Its cards enter the
 *   counts, so that the panel has only the buttons that are needed now.
 */
export function Panel({ page, own }) {
  const { about, news } = page;
  return html`
    <div id="panel" data-part="panel" class=${classes(news?.mode?.state === "sign-up" && "sign-up")}>
      ${Object.keys(about.teams).map((side) => html`<${Side} key=${side} ...${{ page, side, own }} />`)}
      ${about.press && html`<${Buttons} ...${{ page, own }} kind="table" side=${0} />`}
    </div>`;
}

/** @param {{page: PageStore, side: string, own: string}} props */
function Side({ page, side, own }) {
  const { about, news, feedback, adviser } = page;
  const { name, colour } = about.teams[side];
  const at = news?.table.teams[side];
  const box = news?.boxes?.[side];
  const path = at ? onPath(at.front) : null;
  const isOut = at && (at.folded || at.boxed > 0 || box !== undefined);
  const isHinted = feedback.words && feedback.side === side;
  const chance = at && chancesOf(news)?.[side];
  const advice = adviser.advice[side];
  const looks = [name.length > LONG_NAME && "long", name.length > LONGEST_NAME && "longest", news && !at && "away", isHinted && "hinted", path && "path", isOut && "out"];
  return html`
    <section class=${classes("side", ...looks)} data-side=${side} aria-label=${name} style=${{ "--side": colour }}>
      <div class="name"><${SideName} ...${{ page, side }} />${" "}<span class="games">${gamesWords(news, side)}</span></div>
      <div class="numbers">
        <span class="front">${at && (path?.short ?? at.front)}</span>
        <span class="pending">${at?.pending ? `+${at.pending}` : ""}</span>
        <span class="chance" title=${say("Chance to win")}>${chance}</span>
      </div>
      <p class="state">${at ? sideWords(at, box) : news && say("not playing")}</p>
      <p class="hint">${isHinted && html`<${FadingLine} feedback=${feedback} />`}</p>
      <p class="advice">${advice && adviceWords(advice)}</p>
      ${about.press && !own && html`<${Buttons} ...${{ page, own }} kind="of-side" side=${Number(side)} />`}
      ${!about.press && !own && about.near && about.pages.length > 0 && html`
        <img class="code" src=${`/qr.svg?side=${side}`} alt=${say("Code to scan: {what}", { what: padWords(name) })} />`}
    </section>`;
}

/**
 * Return the number of games that a side has won as text, "" if no side has won a game.
 *
 * @param {Api.TableNews | null} news
 * @param {string} side
 */
function gamesWords(news, side) {
  const games = news?.match.games ?? {};
  return side in games && Object.values(games).some(Boolean) ? many(games[side], "{n} game", "{n} games") : "";
}

/** @param {{page: PageStore, kind: "of-side" | "table", side: number, own: string}} props */
function Buttons({ page, kind, side, own }) {
  const { buttons, panel } = page.about;
  const has = (/** @type {string} */ button) => (own ? isNeeded(page, button, own) : panel[button].side === side);
  const there = Object.keys(panel).filter((button) => has(button) && buttons.includes(button));
  return html`<div class=${`buttons ${kind}`}>${there.map((button) => html`<${Button} key=${button} ...${{ page, button }} />`)}</div>`;
}

/** Return true for a button that has a use beside one's own cards. @param {PageStore} page @param {string} button @param {string} own */
function isNeeded({ about, news }, button, own) {
  const { action, side } = about.panel[button];
  if (action === "deal" || news?.consents.some((consent) => consent.button === button)) return true;
  if (side !== Number(own)) return false;
  return action === "undo" || (action === "enter" && Boolean(news?.boxes?.[own]?.may_move || news?.table.teams[own].pending));
}

/** @param {{page: PageStore, button: string}} props */
function Button({ page: { about, input, news }, button }) {
  const { side, action, label, code, points } = about.panel[button];
  const keycap = capOf(code);
  const isForgotten = action === "deal" && news?.hint?.kind === "deal-forgotten";
  const isHinted = isForgotten || news?.consents.some((consent) => consent.button === button);
  const whose = side ? `${about.teams[side].name}, ` : "";
  return html`
    <button class=${classes("arcade", action, input.isDown(button) && "down", isHinted && "hint")} type="button"
      data-button=${button} data-points=${points || undefined}
      aria-label=${`${whose}${label}`} aria-keyshortcuts=${keycap} ...${input.listeners(button)}>
      <span class="dome">${label}</span>
      <kbd data-cap=${code === "Space" ? say("Space") : keycap}></kbd>
    </button>`; // the style sheet draws the cap, so that screen readers read only the shortcut
}

/** Ask the browser for the labels of the keys. Call `changed` when they are known. @param {() => void} changed */
export async function learnKeys(changed) {
  try {
    // Only Chromium has this function, and only on pages served by HTTPS.
    written = (await /** @type {any} */ (navigator).keyboard?.getLayoutMap()) ?? written;
    changed();
  } catch {
    // The page has no permission to read the layout.
  }
}

/** Return the label of a key in capitals. @param {string} code */
function capOf(code) {
  return code.startsWith("Key") ? (written.get(code) ?? code.replace("Key", "")).toUpperCase() : code;
}

/**
 * Name of a side, with a button that opens it for editing. Enter or leaving the field saves the name, and Tab goes
 * on to the next name.
 *
 * @param {{page: PageStore, side: string}} props
 */
function SideName({ page, side }) {
  const { name } = page.about.teams[side];
  const [isEdited, setEdited] = useState(false);
  if (!isEdited) {
    return html`
      <h2>${name}</h2>
      ${page.about.right === "run" && html`
        <button class="rename" type="button" title=${say("Change the name")} aria-label=${say("Change the name {name}", { name })}
          onClick=${() => setEdited(true)}></button>`}`;
  }
  const finish = async (/** @type {Event} */ { currentTarget }) => {
    const entered = /** @type {HTMLInputElement} */ (currentTarget).value.trim();
    setEdited(false);
    if (entered !== name) page.feedback.show(await saveSettings({ [`names.${side}`]: entered || null }, (why) => page.feedback.show(why, side)), side);
  };
  const decide = (/** @type {KeyboardEvent} */ event) => {
    const input = /** @type {HTMLInputElement} */ (event.currentTarget);
    if (event.key === "Escape") input.value = name;
    if (event.key === "Escape" || event.key === "Enter") input.blur(); // leaving the field calls `finish`
    if (event.key === "Tab") editNext(event, event.shiftKey ? -1 : 1);
  };
  return html`
    <input class="rename" maxlength=${MOST_LETTERS} autocomplete="off" enterkeyhint="done" aria-label=${say("Name of {name}", { name })}
      ref=${(/** @type {HTMLInputElement | null} */ input) => input && input !== document.activeElement && input.select()}
      defaultValue=${name} onKeyDown=${decide} onBlur=${finish} />`;
}

/**
 * Edit the next or previous name, if there is one, so that all names can be entered one after another.
 *
 * @param {KeyboardEvent} event
 * @param {number} step
 */
function editNext(event, step) {
  const names = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".rename")]);
  const next = names[names.indexOf(/** @type {HTMLElement} */ (event.currentTarget)) + step];
  if (!next) return;
  event.preventDefault();
  next.click();
}
