// @ts-check
/** Guide on the board's page: cards for a first visit and for the end of a game. */

import { say } from "../i18n/language.js";
import { recall, remember } from "../net/storage.js";
import { Store, useStore } from "../ui/store.js";
import { html, render, useLayoutEffect, useRef } from "../vendor/preact.js";
import { WinCard } from "./win_card.js";

const VISITED = "visited";

class GuideStore extends Store {
  /** @param {Api.About} about */
  constructor(about) {
    super();
    this.about = about;
    /** True on a first visit, until its card is closed. */
    this.isOpen = !recall(VISITED);
    /** True while the user has that card open again. It then stays open, whatever the board shows. */
    this.isReopened = false;
    /** @type {Api.TableNews | null} */
    this.news = null;
    /** `seq` of the last win whose card was closed. */
    this.closed = -1;
  }

  /** @param {Api.TableNews} news */
  show(news) {
    const counts = Object.values(news.table.teams).some(({ pending }) => pending > 0);
    const begun = this.news !== null && (news.seq !== this.news.seq || counts);
    this.news = news;
    if (begun && !news.cards && !this.isReopened) this.dismiss();
    this.changed();
  }

  /** True while the board shows a game that was won and the card of the win is not closed. */
  get isOver() {
    const { news } = this;
    return news !== null && news.table.winner !== null && !news.demo && !news.mode && this.closed !== news.seq;
  }

  /** True while the card of the first visit is shown. Unless reopened, it yields to a win, a demo and dealt cards. */
  get isWelcome() {
    return this.isReopened || (this.isOpen && !this.isOver && !this.news?.demo && !this.news?.cards);
  }

  /** Open the card of the first visit again. */
  welcome() {
    this.isReopened = true;
    this.changed();
  }

  /** Close the card of the first visit. This device does not show it again by itself. */
  dismiss() {
    this.isOpen = false;
    this.isReopened = false;
    remember(VISITED, "yes");
    this.changed();
  }

  /** Close the card of a win. */
  close() {
    this.closed = this.news?.seq ?? -1;
    this.changed();
  }
}

/**
 * `together`: opens the dialog for a new game; `place`: places a card over the board
 *
 * @typedef {Record<"together" | "computer" | "demo", () => void> & {place: (card: HTMLElement) => void}} Actions
 */

/**
 * Draw the guide. Return its store, which the caller updates with the news.
 *
 * @param {HTMLElement} place
 * @param {{about: Api.About, actions: Actions, help: HTMLElement}} how `help`: opens the card of a first visit
 */
export function drawGuide(place, { about, actions, help }) {
  const store = new GuideStore(about);
  help.addEventListener("click", () => store.welcome());
  render(html`<${Guide} ...${{ store, actions }} />`, place);
  return store;
}

/** @param {{store: GuideStore, actions: Actions}} props */
function Guide({ store, actions }) {
  useStore(store);
  const { about } = store;
  const runs = about.right === "run";
  if (store.isWelcome) return html`<${FirstVisit} ...${{ runs, actions }} zones=${about.zones} close=${() => store.dismiss()} />`;
  return store.isOver && html`
    <${WinCard} ...${{ news: store.news, labels: about.teams, runs, choose: actions.together, place: actions.place }} close=${() => store.close()} />`;
}

/**
 * Card for the first visit of a device: the actions on this page, and how to play in four lines. Its first action
 * takes the focus.
 *
 * @param {{runs: boolean, zones: boolean, actions: Actions, close: () => void}} props
 *   `runs`: true if this page may run the table; `zones`: true if the board has zones
 */
function FirstVisit({ runs, zones, actions, close }) {
  const first = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => first.current?.focus({ preventScroll: true }), []);
  const choose = (/** @type {() => void} */ act) => () => {
    close();
    act();
  };
  const lines = [
    say("Play cribbage with your own cards, or with cards dealt here."),
    say("Press +1 and +5 for what you count: a trail shows where you land. Enter pegs it."),
    zones && say("Red slides you along, blue pulls your next count back, green sends it on, violet makes you fold."),
    say("Undo takes anything back. The first side at the finish wins."),
  ];
  return html`
    <section class="guide-card welcome" aria-labelledby="welcome-title">
      <header>
        <h2 id="welcome-title">${say("Welcome to Crib Wars")}</h2>
        <button class="plain" type="button" onClick=${close}>${say("Not now")}</button>
      </header>
      <ol class="how">${lines.filter(Boolean).map((line) => html`<li>${line}</li>`)}</ol>
      <nav class="choices">
        ${runs && html`
          <button class="plain go" type="button" ref=${first} onClick=${choose(actions.together)}>${say("Play together")}</button>
          <button class="plain go" type="button" onClick=${choose(actions.computer)}>${say("Play against the computer")}</button>
          <button class="plain go" type="button" onClick=${choose(actions.demo)}>${say("Watch the demo")}</button>
          <a class="plain go" href="/setup" onClick=${close}>${say("Set up my board")}</a>`}
        ${!runs && html`<a class="plain go" href="/pad" ref=${first} onClick=${close}>${say("Keep score on this phone")}</a>`}
        <a class="plain" href="/rules">${say("The rules")}</a>
        <a class="plain" href="/lights-and-buttons.svg">${say("Lights and buttons")}</a>
      </nav>
    </section>`;
}
