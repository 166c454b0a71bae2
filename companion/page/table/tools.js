// @ts-check
/** Bar of the board's page: the buttons that every evening needs, and a menu with the other controls. */

import { say } from "../i18n/language.js";
import { html } from "../vendor/preact.js";

/** @typedef {import("./page_store.js").PageStore} PageStore */

/** SVG path of each icon in a square of 24 by 24. */
const ICONS = {
  full: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5",
  view: "M2 12Q12-1 22 12Q12 25 2 12ZM12 9a3 3 0 1 1 0 6a3 3 0 1 1 0-6",
};

/** Functions that load the component of a dialog, for `PageStore.open`. */
export const DIALOGS = {
  correction: async () => (await import("./corrections.js")).Correction,
  dealing: async () => (await import("../cards/dealing.js")).Dealing,
  joining: async () => (await import("../pairing/join.js")).Joining,
  newGame: async () => (await import("../guide/new_game.js")).NewGame,
  phones: async () => (await import("../pairing/phones.js")).Phones,
  placing: async () => (await import("./corrections.js")).Placing,
  referee: async () => (await import("./referee.js")).Referee,
  view: async () => (await import("./view_dialog.js")).View,
};

/** @param {{page: PageStore}} props */
export function Tools({ page }) {
  const { about, news } = page;
  const runs = about.right === "run";
  const demo = (/** @type {boolean} */ on) => page.send("/api/demo", { on });
  /** @type {[string, boolean, string, () => void][]} */
  const bar = [
    ["new-game", runs, say("New game"), () => page.open(DIALOGS.newGame)],
    ["see-cards", runs, say("Cards"), () => page.open(DIALOGS.dealing)],
    ["see-phones", true, say("Phones"), () => page.open(DIALOGS.phones)],
    ["join-in", !runs, say("Join"), () => page.open(DIALOGS.joining)],
    ["correct", runs, say("Correct"), () => page.open(DIALOGS.correction, { ofGame: true })],
  ];
  /** The address of a page, or a function. @type {[string, boolean, string, string, string | (() => void)][]} */
  const menu = [
    ["play", runs, say("Demo"), say("the board plays by itself"), () => demo(true)],
    ["help", true, say("How to play"), say("the game in four lines"), () => {}],
    ["see-referee", runs, say("Referee"), say("questions, penalties, claims"), () => page.open(DIALOGS.referee, { ofGame: true })],
    ["place", runs, say("Place pegs"), say("for a game begun elsewhere"), () => page.open(DIALOGS.placing, { ofGame: true })],
    ["own-pad", !about.near, say("Score pad"), say("the buttons of a side"), "/pad"],
    ["to-counter", true, say("Count a hand"), say("points of any cards"), "/counter"],
    ["to-records", true, say("Records"), say("games, replays, statistics"), "/records"],
    ["set-up", runs, say("Set-up"), say("board, rules, names, lights"), "/setup"],
  ];
  return html`
    <section id="tools" class="tools" data-part="tools" aria-label=${say("At the table")}>
      <p id="sign"><strong>${say("Demo")}</strong>${" "}${say("press any button to end it")}</p>
      <button id="end-demo" class="plain" type="button" hidden=${!runs || !news?.demo} onClick=${() => demo(false)}>${say("End the demo")}</button>
      ${bar.map(([id, may, words, act]) => html`
        <button id=${id} class="plain" type="button" aria-haspopup="dialog" hidden=${!may} onClick=${act}>${words}</button>`)}
      <button id="to-menu" class="plain" type="button" popovertarget="menu">${say("Menu")}</button>
      <a id="full" class="plain" href="/tv"><${Icon} path=${ICONS.full} />${say("Full screen")}</a>
      <button id="see-view" class="plain" type="button" aria-haspopup="dialog" aria-keyshortcuts="?" onClick=${() => page.open(DIALOGS.view)}>
        <${Icon} path=${ICONS.view} />${say("View")}</button>
    </section>
    <nav id="menu" popover="auto" aria-label=${say("Menu")}>
      ${bar.map(([, may, words, act]) => may && html`<${Entry} ...${{ words, act }} name="of-bar" />`)}
      ${menu.map(([id, may, words, does, act]) => may && html`<${Entry} key=${id} ...${{ id, words, does, act }} />`)}
    </nav>`;
}

/**
 * Entry of the menu, with a word on what it does. A button also closes the menu.
 *
 * @param {{id?: string, words: string, does?: string, act: string | (() => void), name?: string}} props
 */
function Entry({ id, words, does, act, name = "" }) {
  const inside = html`<strong>${words}</strong>${" "}<span>${does}</span>`;
  if (typeof act === "string") return html`<a id=${id} class="plain" href=${act}>${inside}</a>`;
  return html`
    <button id=${id} class=${`plain ${name}`} type="button" popovertarget="menu" popovertargetaction="hide" onClick=${act}>${inside}</button>`;
}

/** @param {{path: string}} props */
function Icon({ path }) {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d=${path} /></svg>`;
}
