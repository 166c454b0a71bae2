// @ts-check
/** Layout of the board's page: the board, its texts, the panel and the tools. */

import { countWords } from "../cards/count_form.js";
import { CardTable, Commentary, NO_DEMO, demoBanner, onTable } from "../cards/demo.js";
import { OwnHandLink, useOwnHand } from "../cards/own_hand.js";
import { connectionWords, leaderWords, matchWords } from "../i18n/labels.js";
import { say } from "../i18n/language.js";
import { JoinRequests } from "../pairing/let_in.js";
import { classes } from "../ui/dialog.js";
import { html } from "../vendor/preact.js";
import { EventLines, moveInLog } from "./event_log.js";
import { FadingLine } from "./feedback.js";
import { Panel } from "./panel.js";
import { bannerWords, handWords, nightWords } from "./standing.js";
import { DIALOGS, Tools } from "./tools.js";

/** @typedef {import("./page_store.js").PageStore} PageStore */

/** @param {{page: PageStore}} props */
export function TablePage({ page }) {
  const { about, news, dialog } = page;
  const demo = news?.demo ?? null;
  const shown = demo ? null : news?.cards?.shown;
  const cards = demo ?? (shown ? { ...NO_DEMO, cards: onTable(shown) } : NO_DEMO);
  const own = useOwnHand(page);
  const runs = about.right === "run";
  return html`
    <main data-screen=${demo ? "demo" : "game"} class=${classes(shown && "dealt", page.adviser.isOn && "advised")}>
      <${JoinRequests} consents=${news?.consents ?? []} about=${about} />
      <${Masthead} page=${page} />
      <div class="stage">
        <figure class="sheet" data-part="board" aria-label=${say("The printed board; the text beside it describes its lamps")}></figure>
        <${Words} page=${page} />
        <button id="to-tools" class="plain" type="button" popovertarget="menu">${say("Menu")}</button>
      </div>
      <${ZoomButtons} />
      <section class="standing" aria-label=${say("Standing")}>
        <p id="leader">${news && leaderWords(news.table, about.teams)}</p>
        <p id="match">${news && news.match.to !== null && matchWords(news.match, about.teams)}</p>
      </section>
      <p id="announced" class="hidden" role="status">${page.announced}</p>
      <section class="log" data-part="log" aria-label=${say("What happened")} tabindex="0" onKeyDown=${moveInLog}>
        <p id="night" role="status">${nightWords(news?.night ?? null, about.teams)}</p>
        <ul id="notices">${news?.notices.map((line) => html`<li>${line}</li>`)}</ul>
        <${EventLines} id="events" entries=${page.log.entries} about=${about}
          correct=${runs ? (/** @type {number} */ seq) => page.open(DIALOGS.correction, { seq, ofGame: true }) : null} />
      </section>
      <section class="rail" aria-label=${say("The panel")}>
        <div id="guide"></div>
        <${Panel} page=${page} own=${own.side} />
      </section>
      <${CardTable} demo=${cards} dealt=${shown && news?.cards} labels=${about.teams}>
        <${OwnHandLink} ...${{ own, runs }} showAll=${() => page.open(DIALOGS.dealing)} />
      <//>
      ${own.View && html`<${own.View} ...${{ ...own, page }} />`}
      <${Commentary} lines=${cards.lines} language=${about.language} />
      <${Tools} page=${page} />
    </main>
    ${dialog && news && html`
      <${dialog.View} ...${{ about, news, sides: page.sides, sound: page.sound, adviser: page.adviser, ...dialog.props }} close=${() => page.close(dialog)} />`}`;
}

/** @param {{page: PageStore}} props */
function Masthead({ page: { about, news, connection } }) {
  return html`
    <header class="masthead">
      <h1>Crib Wars</h1>
      <p id="connection" role="status" data-state=${connection.state}>${connectionWords(connection)}</p>
      <p id="hand">${news && handWords(news.demo?.table ?? news.table, about.teams)}</p>
    </header>`;
}

/** Texts over the board: mode, faults, next count, feedback on a press. @param {{page: PageStore}} props */
function Words({ page: { about, news, feedback } }) {
  const { demo } = news ?? {};
  const banner = !news ? null : demo ? demoBanner(demo, about.teams) : bannerWords(news, about.teams);
  const isOther = !banner || banner.side; // a win has its card, or in a demo its sign
  return html`
    <div class="word">
      <div>
        <div id="over" role="status" hidden=${isOther}>
          <p id="banner">${!isOther && banner.head}</p><p id="below">${!isOther && banner.below}</p>
        </div>
        <p id="unsaved" role="alert" hidden=${news?.saved ?? true}>
          ${say("Not saved: the journal cannot be written. Counts made now are lost if the power goes.")}</p>
        <p id="reverted" role="status" hidden=${!about.reverted}>
          ${say("The table did not start with its new settings and is back on those from before: see Set-up")}</p>
        <p id="to-count" role="status">${news?.cards?.open_count && countWords(news.cards, about.teams)}</p>
        <p id="feedback" role="status" class=${classes(feedback.side && "elsewhere")}><${FadingLine} feedback=${feedback} /></p>
      </div>
    </div>`;
}

/** Buttons of `Zoom`, which enables and disables them. */
function ZoomButtons() {
  return html`
    <div id="zoom" role="group" aria-label=${say("Zoom of the board")}>
      <button class="plain" type="button" data-zoom="out" aria-label=${say("Zoom out")} aria-keyshortcuts="-">−</button>
      <button class="plain" type="button" data-zoom="reset" aria-label=${say("The whole board")} aria-keyshortcuts="0" data-factor="1"></button>
      <button class="plain" type="button" data-zoom="in" aria-label=${say("Zoom in")} aria-keyshortcuts="+">+</button>
    </div>`;
}
