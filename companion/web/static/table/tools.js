// @ts-check
/** Controls of the board's page that are not buttons of the table's panel. */

import { say } from "../i18n/language.js";
import { html } from "../vendor/preact.js";
import { AdviserSwitch } from "./adviser.js";

/** @typedef {import("./page_store.js").PageStore} PageStore */

/** @param {PageStore} page @param {number} [seq] number of the count's entry in the log; by default the last count */
export function openCorrection(page, seq) {
  page.open(async () => (await import("./corrections.js")).Correction, { seq, ofGame: true });
}

/** @param {PageStore} page */
export function openPhones(page) {
  page.open(async () => (await import("../pairing/phones.js")).Phones);
}

/** @param {PageStore} page */
export function openView(page) {
  page.open(async () => (await import("./view_dialog.js")).View);
}

/** @param {PageStore} page @param {boolean} against true to play against the computer */
export function openDealing(page, against) {
  page.open(async () => (await import("../cards/dealing.js")).Dealing, { against });
}

/** @param {PageStore} page */
export function openNewGame(page) {
  page.open(async () => (await import("../guide/new_game.js")).NewGame);
}

/** @param {{page: PageStore}} props */
export function Tools({ page }) {
  const { about, news, adviser } = page;
  const runs = about.right === "run";
  const isDemo = Boolean(news?.demo);
  /** @type {[string, boolean, string, () => void][]} */
  const dialogs = [
    ["play-computer", runs, say("Play against the computer"), () => openDealing(page, true)],
    ["deal-cards", runs, say("Deal cards"), () => openDealing(page, false)],
    ["new-game", runs, say("New game"), () => openNewGame(page)],
    ["see-referee", runs, say("Referee"), () => page.open(async () => (await import("./referee.js")).Referee, { ofGame: true })],
    ["correct", runs, say("Correct a count"), () => openCorrection(page)],
    ["place", runs, say("Place pegs"), () => page.open(async () => (await import("./corrections.js")).Placing, { ofGame: true })],
    ["see-phones", true, say("Phones"), () => openPhones(page)],
    ["join-in", !runs, say("Join"), () => page.open(async () => (await import("../pairing/join.js")).Joining)],
  ];
  return html`
    <section id="tools" class="tools" data-part="tools" aria-label=${say("At the table")}>
      <p id="sign"><strong>${say("Demo")}</strong>${" "}${say("press any button to end it")}</p>
      <button id="play" class="plain" type="button" hidden=${!runs} onClick=${() => page.send("/api/demo", { on: !isDemo })}>
        ${isDemo ? say("End the demo") : say("Demo")}</button>
      ${dialogs.map(([id, may, words, act]) => html`
        <button id=${id} class="plain" type="button" aria-haspopup="dialog" hidden=${!may} onClick=${act}>${words}</button>`)}
      <a id="own-pad" class="plain" href="/pad" hidden=${about.near}>${say("Score pad")}</a>
      <a class="plain switch" href="/counter">${say("Count a hand")}</a>
      <a class="plain switch" href="/records">${say("Records")}</a>
      <button id="help" class="plain" type="button">${say("How to play")}</button>
      <a id="set-up" class="plain switch" href="/setup" hidden=${!runs}>${say("Set-up")}</a>
      <a id="full" class="plain" href="/tv">${say("Full screen")}</a>
      <${AdviserSwitch} adviser=${adviser} />
      <button id="see-view" class="plain" type="button" aria-haspopup="dialog" aria-keyshortcuts="?" onClick=${() => openView(page)}>
        ${say("View")}</button>
    </section>`;
}
