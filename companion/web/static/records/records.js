// @ts-check
/**
 * The page of the records: the games so far, one of them to go through, and statistics.
 */

import { connectionWords } from "../i18n/labels.js";
import { say } from "../i18n/language.js";
import { Stream } from "../net/stream.js";
import { LiveAbout, fetchAbout } from "../ui/about.js";
import { useStore } from "../ui/store.js";
import { html, render } from "../vendor/preact.js";
import { Backups } from "./backups.js";
import { GameView } from "./game_view.js";
import { GamesList } from "./games_list.js";
import { RecordsStore } from "./records_store.js";
import { Replay } from "./replay.js";
import { Statistics } from "./totals.js";

const live = new LiveAbout(await fetchAbout(), () => store.refresh());
const store = new RecordsStore();
const replay = new Replay();
/** Winner of the running game in the last news. @type {number | null | undefined} */
let winner;

new Stream("/api/stream", {
  hello: () => store.refresh(),
  news: (news) => {
    const { table, mode } = news;
    live.follow(news);
    replay.told(mode);
    if (winner !== undefined && winner !== table.winner) store.refresh();
    winner = table.winner;
  },
  state: (connection) => {
    const place = /** @type {HTMLElement} */ (document.getElementById("connection"));
    place.dataset.state = connection.state;
    render(connectionWords(connection), place);
  },
});

function Records() {
  useStore(store);
  const about = live.now;
  const runs = about.right === "run";
  return html`
    <${GamesList} store=${store} labels=${about.teams} />
    ${store.opened && html`<${GameView} recorded=${store.opened} at=${store.at}
      replay=${replay} labels=${about.teams} runs=${runs} />`}
    <${Statistics} totals=${store.statistics} matches=${store.matches} labels=${about.teams} />
    <${Files} runs=${runs} />
    ${runs && html`<${Backups} run=${about.run} labels=${about.teams} />`}`;
}

/** @param {{runs: boolean}} props */
function Files({ runs }) {
  return html`
    <section id="files" aria-labelledby="files-title">
      <h2 id="files-title">${say("To take away")}</h2>
      <ul>
        <li><a class="plain" href="/api/export.csv" download>${say("Counts as a table (CSV)")}</a></li>
        <li><a class="plain" href="/api/export.json" download>${say("Everything (JSON)")}</a></li>
        ${runs && html`<li id="backup"><a class="plain" href="/api/backup" download>${say("Backup")}</a></li>`}
      </ul>
      <p>${say("A backup holds the journal, the settings and the boards. It is put back at the machine itself, with the table stopped:")}
        ${" "}<code>cribwars records restore FILE</code></p>
    </section>`;
}

addEventListener("hashchange", () => store.follow(location.hash));
render(html`<${Records} />`, /** @type {HTMLElement} */ (document.getElementById("records")));
await store.list();
await store.follow(location.hash);
