// @ts-check
/**
 * The board for a television: without buttons, with large text and signs for notable events. A double tap or the
 * key F switches to full screen.
 */

import { CardTable, Commentary, NO_DEMO, demoBanner } from "./cards/demo.js";
import { connectionWords, matchWords } from "./i18n/labels.js";
import { fill, say } from "./i18n/language.js";
import { NO_CONNECTION, Stream } from "./net/stream.js";
import { Sound } from "./sound/sound.js";
import { EventLines, EventLog } from "./table/event_log.js";
import { drawSheet } from "./table/sheet.js";
import { Positions, bannerWords, chancesOf, handWords } from "./table/standing.js";
import { LiveAbout, facts, fetchAbout, printsAnew } from "./ui/about.js";
import { QrCode } from "./ui/qr_codes.js";
import { reload } from "./ui/reload.js";
import { singleKeysAct } from "./ui/shortcuts.js";
import { html, render } from "./vendor/preact.js";

/** Time for which a sign is shown. */
const STANDS_MS = 2600;
/** Maximum number of waiting signs. Older ones are dropped. */
const MOST_WAITING = 3;

/** Queue of signs. A sign shows an event in two or three large words. */
class Signs {
  /** @param {() => void} changed */
  constructor(changed) {
    this.changed = changed;
    /** Event whose sign is shown, or null. @type {Api.Event | null} */
    this.event = null;
    /** Unique number of the sign that is shown. */
    this.number = 0;
    /** @type {Api.Event[]} */
    this.waiting = [];
  }

  /** @param {Api.Event[]} events */
  add(events) {
    this.waiting.push(...events.filter(({ kind }) => facts.event_signs[kind]));
    this.waiting.splice(0, this.waiting.length - MOST_WAITING);
    if (!this.event) this.next();
  }

  /** Show the next sign, or nothing if no sign is waiting. */
  next() {
    this.event = this.waiting.shift() ?? null;
    this.number += 1;
    if (this.event) setTimeout(() => this.next(), STANDS_MS);
    this.changed();
  }
}

const live = new LiveAbout(await fetchAbout(), (now, before) => {
  if (now.run !== before.run) return void reload(); // the program may have been updated
  sound.language = now.language;
  draw();
  if (printsAnew(now, before)) drawn.then((board) => board.redraw());
});
/** @type {Api.TableNews | null} */
let news = null;
let connection = NO_CONNECTION;
const log = new EventLog(draw);
const sound = new Sound(live.now.language);
const signs = new Signs(draw);
draw();
const sheet = /** @type {HTMLElement} */ (document.querySelector(".sheet"));
const drawn = drawSheet(sheet, live.now);
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
    showDemoSigns(latest.demo, news?.demo);
    news = latest;
    draw();
  },
  entry: (entry) => {
    if (!log.add(entry)) return;
    signs.add(entry.events);
    sound.add(entry);
  },
  state: (now) => {
    connection = now;
    draw();
  },
});

/**
 * Show signs for the events of the newest entry of a demo.
 *
 * @param {Api.DemoNews | null | undefined} now
 * @param {Api.DemoNews | null | undefined} before
 */
function showDemoSigns(now, before) {
  if (now?.newest && before && now.newest.seq !== before.newest?.seq) signs.add(now.newest.events);
}

/** Switch full screen on or off. */
function fillScreen() {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen();
}

function draw() {
  const about = live.now;
  const { teams: labels, language } = about;
  const { demo = null, cards = null, table: game, match } = news ?? {};
  const table = demo?.table ?? game;
  const dealt = cards?.shown && game ? { ...NO_DEMO, table: game, cards: cards.shown } : null;
  const banner = demo ? demoBanner(demo, labels) : news && bannerWords(news, labels);
  const sides = table ? Object.keys(table.teams) : [];
  render(html`
    <main class="tv" data-screen=${demo ? "demo" : dealt ? "cards" : "game"}>
      <figure class="sheet" data-part="board" aria-label=${say("The printed board; the text beside it describes its lamps")}></figure>
      <${Sign} signs=${signs} labels=${labels} />
      <header class="masthead">
        <h1>Crib Wars</h1>
        <p id="connection" role="status" data-state=${connection.state}>${connectionWords(connection)}</p>
        <p id="hand">${table && handWords(table, labels)}</p>
        <p id="banner" role="status">${banner?.head}</p>
        <p id="below">${banner?.below}</p>
      </header>
      <ol id="scores" aria-label=${say("Standing")}><${Positions} ...${{ sides, table, labels }} chances=${chancesOf(news)} /></ol>
      <p id="match">${match && matchWords(match, labels)}</p>
      <${CardTable} demo=${demo ?? dealt ?? NO_DEMO} dealt=${dealt && cards} labels=${labels} />
      <section class="log" data-part="log" aria-label=${say("What happened")} tabindex="0">
        <${Commentary} lines=${demo?.lines ?? []} language=${language} />
        <${EventLines} id="events" entries=${log.entries} about=${about} />
      </section>
      <figure class="join-code" hidden=${!about.pages.length}>
        ${about.pages.length > 0 && html`<${QrCode} words=${say("Scan to join")} />`}<figcaption>${say("Scan to join")}</figcaption>
      </figure>
    </main>`, document.body);
}

/** @param {{signs: Signs, labels: Record<string, Api.SideLabel>}} props */
function Sign({ signs: { event, number }, labels }) {
  const { name, colour } = labels[`${event?.team}`] ?? {};
  const words = event && fill(facts.event_signs[event.kind], { ...event, way: wayOf(event) });
  return html`
    <p id="sign" role="status" style=${{ "--side": colour }} data-kind=${event?.kind}>
      ${event && html`<span key=${number} class="name">${name}</span>${" "}<strong key=${-number}>${words}</strong>`}
    </p>`;
}

/** @param {Api.Event} event @returns {string} number of holes moved, with a plus or minus sign */
function wayOf({ from, to }) {
  const way = Number(to) - Number(from);
  return Number.isFinite(way) ? `${way > 0 ? "+" : "\u2212"}${Math.abs(way)}` : "";
}
