// @ts-check
/**
 * The page of one hand of cards. It fetches the hand after each change of the table. A window with room for it goes on
 * to the board's page, which shows the hand of the only person.
 */

import { NextGame } from "../guide/win_card.js";
import { connectionWords, matchWords } from "../i18n/labels.js";
import { say } from "../i18n/language.js";
import { OWN_HAND, recall } from "../net/storage.js";
import { NO_CONNECTION, Stream } from "../net/stream.js";
import { keepAwake } from "../net/wake_lock.js";
import { drawSheet } from "../table/sheet.js";
import { Positions, bannerWords, ownHandWords } from "../table/standing.js";
import { LiveAbout, fetchAbout } from "../ui/about.js";
import { html, render } from "../vendor/preact.js";
import { Middle, NO_CARDS, onTable } from "./demo.js";
import { HandStore, Own } from "./hand.js";
import { ROOM, peopleOf, sideOf } from "./own_hand.js";

const store = new HandStore(encodeURIComponent(new URLSearchParams(location.search).get("hand") ?? ""));
/** @type {Api.TableNews | null} */
let news = null;
let connection = NO_CONNECTION;
const live = new LiveAbout(await fetchAbout(), (now) => {
  store.look();
  sheet.follow(now);
});

keepAwake();
store.subscribe(draw);
draw();
const sheet = await drawSheet(/** @type {HTMLElement} */ (document.querySelector(".sheet")), live.now);
new Stream("/api/stream", {
  hello: () => {
    sheet.light.reset();
    live.renew();
    store.look();
  },
  frame: (text) => sheet.light.show(text),
  news: (latest) => {
    live.follow(latest);
    news = latest;
    draw();
    store.look();
  },
  state: (now) => {
    connection = now;
    draw();
  },
});

function draw() {
  const { hand } = store;
  if (ROOM.matches && recall(OWN_HAND) === store.stored && peopleOf(hand).length === 1) return void location.replace("/");
  const own = hand ? sideOf(hand.seat, news) : "";
  const side = live.now.teams[own];
  document.documentElement.style.setProperty("--side", side?.colour ?? "");
  const who = hand ? say("{name}, seat {seat}", { name: side?.name ?? "Crib Wars", seat: hand.seat }) : "Crib Wars";
  render(html`
    <main class="own dealt">
      <header>
        <h1 id="who">${who}</h1>
        <p id="connection" role="status" data-state=${connection.state}>${connectionWords(connection)}</p>
        <a class="plain" href="/">${say("Board")}</a>
      </header>
      <div class="told">
        <ul id="fronts" class="fronts" aria-label=${say("The sides")}>
          ${news && html`<${Positions} sides=${Object.keys(news.table.teams)} table=${news.table} labels=${live.now.teams} />`}
        </ul>
        <p id="hand">${news && handOrWinWords(news, own)}</p>
        <p id="match">${news && matchWords(news.match, live.now.teams)}</p>
        ${live.now.right === "run" && news?.table.winner && html`<${NextGame} match=${news.match} />`}
      </div>
      <${Middle} all=${hand?.shown ? onTable(hand.shown) : NO_CARDS} labels=${live.now.teams} />
      <${Own} store=${store} side=${own} />
      <ol id="lines" aria-live="polite" aria-label=${say("Commentary")}>${hand?.lines.map((line) => html`<li key=${line}>${line}</li>`)}</ol>
      <figure class="sheet" aria-label=${say("The printed board; its lamps show the game")}></figure>
    </main>`, document.body);
}

/** Return a line about the hand and its dealer, or about the winner. @param {Api.TableNews} news @param {string} side */
function handOrWinWords({ table, match, night }, side) {
  const won = bannerWords({ table, match, night, mode: null }, live.now.teams);
  return won ? `${won.head}. ${won.below}` : ownHandWords(table, live.now.teams, side);
}
