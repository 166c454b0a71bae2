// @ts-check
/**
 * The board for a television: without buttons, with large text and signs for notable events. A double tap or the
 * key F switches to full screen.
 */

import { CardTable, Commentary, NO_DEMO, demoBanner } from "./cards/demo.js";
import { WinCard, titleStyle } from "./guide/win_card.js";
import { connectionWords, matchWords } from "./i18n/labels.js";
import { say } from "./i18n/language.js";
import { NO_CONNECTION, Stream } from "./net/stream.js";
import { Sound } from "./sound/sound.js";
import { EventLines, EventLog } from "./table/event_log.js";
import { drawSheet } from "./table/sheet.js";
import { Signs } from "./table/signs.js";
import { Positions, bannerWords, chancesOf, handWords } from "./table/standing.js";
import { LiveAbout, fetchAbout } from "./ui/about.js";
import { classes } from "./ui/dialog.js";
import { reload } from "./ui/reload.js";
import { singleKeysAct } from "./ui/shortcuts.js";
import { html, render } from "./vendor/preact.js";

const live = new LiveAbout(await fetchAbout(), (now, before) => {
  if (now.run !== before.run) return void reload(); // the program may have been updated
  sound.language = now.language;
  draw();
  drawn.then((board) => board.follow(now));
});
/** @type {Api.TableNews | null} */
let news = null;
let connection = NO_CONNECTION;
const log = new EventLog(draw);
const sound = new Sound(live.now.language);
draw();
const sheet = /** @type {HTMLElement} */ (document.querySelector(".sheet"));
const drawn = drawSheet(sheet, live.now);
const signs = drawn.then((board) => new Signs(board));
addEventListener("keydown", ({ key }) => key === "f" && singleKeysAct() && fillScreen());
sheet.addEventListener("dblclick", fillScreen);

new Stream("/api/stream", {
  hello: ({ seq }) => {
    log.begin(seq);
    drawn.then(({ light }) => light.reset());
    live.renew();
  },
  frame: (text) => drawn.then(({ light }) => light.show(text)),
  news: (latest) => {
    live.follow(latest);
    signs.then((queue) => queue.follow(latest));
    news = latest;
    draw();
  },
  entry: (entry) => {
    if (!log.add(entry)) return;
    signs.then((queue) => queue.add(entry.events));
    sound.add(entry);
  },
  state: (now) => {
    connection = now;
    draw();
  },
});

/** Switch full screen on or off. */
function fillScreen() {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen();
}

/** @param {import("./table/standing.js").Banner} banner @param {Record<string, Api.SideLabel>} labels */
function bannerStyle({ head, side }, labels) {
  return side ? titleStyle(head, labels[side]) : { "--letters": head.length };
}

function draw() {
  const about = live.now;
  const { teams: labels, language } = about;
  const { demo = null, cards = null, table: game, match } = news ?? {};
  const table = demo?.table ?? game;
  const newest = log.entries[0] ?? null;
  const banner = demo ? demoBanner(demo, labels) : news && bannerWords(news, labels);
  const isOver = Boolean(banner?.side) && !demo;
  const dealt = cards?.shown && game && !isOver ? { ...NO_DEMO, table: game, cards: cards.shown, newest } : null;
  const sides = table ? Object.keys(table.teams) : [];
  render(html`
    <main class=${classes("tv", isOver && "won")} data-screen=${demo ? "demo" : dealt ? "cards" : "game"}>
      <figure class="sheet" data-part="board" aria-label=${say("The printed board; the text beside it describes its lamps")}></figure>
      <header class="masthead">
        <h1>Crib Wars</h1>
        <p id="connection" role="status" data-state=${connection.state}>${connectionWords(connection)}</p>
        <p id="hand">${table && handWords(table, labels)}</p>
        ${!isOver && html`<p id="banner" role="status" style=${banner && bannerStyle(banner, labels)}>${banner?.head}</p><p id="below">${banner?.below}</p>`}
      </header>
      ${isOver && html`<${WinCard} ...${{ news, labels }} />`}
      <ol id="scores" aria-label=${say("Standing")}><${Positions} ...${{ sides, table, labels, newest }} chances=${chancesOf(news)} /></ol>
      <p id="match">${match && matchWords(match, labels)}</p>
      <${CardTable} demo=${demo ?? dealt ?? NO_DEMO} dealt=${dealt && cards} labels=${labels} />
      <section class="log" data-part="log" aria-label=${say("What happened")} tabindex="0">
        <${Commentary} lines=${demo?.lines ?? []} language=${language} />
        <${EventLines} id="events" entries=${log.entries} about=${about} />
      </section>
      <figure class="join-code" hidden=${!about.pages.length}>
        ${about.pages.length > 0 && html`<img class="code" src="/qr.svg" alt=${say("Scan to join")} />`}<figcaption>${say("Scan to join")}</figcaption>
      </figure>
    </main>`, document.body);
}
