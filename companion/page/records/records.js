// @ts-check
/**
 * The page of the records: the list of games, the replay of one game, statistics, and the automatic backups. The user
 * can look into a backup, and restore it by two presses on Restore.
 */

import { connectionWords } from "../i18n/labels.js";
import { many, say } from "../i18n/language.js";
import { request } from "../net/request.js";
import { Stream } from "../net/stream.js";
import { LiveAbout, fetchAbout } from "../ui/about.js";
import { useFetched, useSending } from "../ui/forms.js";
import { useStore } from "../ui/store.js";
import { html, render, useState } from "../vendor/preact.js";
import { dateWords, endWords, nameOf } from "./game_labels.js";
import { GameView } from "./game_view.js";
import { RecordsStore } from "./records_store.js";
import { Replay } from "./replay.js";
import { Statistics } from "./statistics.js";

/** Number of a backup's games that are listed. */
const GAMES_IN_BACKUP = 10;

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

/** @param {{store: RecordsStore, labels: Record<string, Api.SideLabel>}} props */
function GamesList({ store, labels }) {
  const games = store.games ?? [];
  const none = store.games && !games.length ? say("No game has been played yet.") : "";
  const open = (/** @type {number} */ number) => store.open(number);
  return html`
    <section id="games" aria-labelledby="games-title">
      <h2 id="games-title">${say("Games")}</h2>
      <table>
        <thead><tr>
          <th scope="col">${say("Game")}</th><th scope="col">${say("Sides")}</th>
          <th scope="col">${say("End")}</th><th scope="col" class="figure">${say("Counts")}</th>
        </tr></thead>
        <tbody>${games.map((game) => html`<${Row} key=${game.number} ...${{ game, labels, open }}
          opened=${store.opened?.game.number === game.number} />`)}</tbody>
      </table>
      <p id="none" role="status">${store.fault || none}</p>
      <button id="older" class="plain" type="button" hidden=${!store.more}
        onClick=${() => store.list(games.at(-1)?.number)}>${say("Older games")}</button>
    </section>`;
}

/** @param {{game: Api.RecordedGame, labels: Record<string, Api.SideLabel>, opened: boolean, open: (number: number) => void}} props */
function Row({ game, labels, opened, open }) {
  const { number, sides, begun, counts } = game;
  return html`
    <tr>
      <td><button class="plain" type="button" data-game=${number} aria-pressed=${`${opened}`}
        aria-label=${say("Game {number}", { number })} onClick=${() => open(number)}>${number}</button></td>
      <td>
        ${Object.entries(sides).map(([side, { progress }]) => html`
          <p class="name" style=${{ "--side": labels[side]?.colour }}>${nameOf(game, side, labels)} ${progress}</p>`)}
        <p class="date">${dateWords(begun)}</p>
      </td>
      <td>${endWords(game, labels)}</td>
      <td class="figure">${counts}</td>
    </tr>`;
}

/** @param {{run: string, labels: Record<string, Api.SideLabel>}} props */
function Backups({ run, labels }) {
  const { value: found, refusal: unknown } = useFetched("/api/backups");
  const backups = /** @type {Api.BackupSummary[]} */ (found ?? []);
  const [content, setContent] = useState(/** @type {Api.BackupContent | null} */ (null));
  const [status, setStatus] = useState("");
  const { send, sends, refusal } = useSending();
  const look = async (/** @type {Api.BackupSummary} */ { name }) => {
    setStatus("");
    const { value, refusal } = await request(`/api/backups/content?name=${name}`);
    if (refusal) setStatus(refusal);
    else setContent(value);
  };
  const restore = async (/** @type {Api.BackupSummary} */ { name }) => {
    if (await send("/api/backups/restore", { name, run })) setStatus(say("The table restarts with this backup."));
  };
  return html`
    <section id="backups" aria-labelledby="backups-title">
      <h2 id="backups-title">${say("Automatic backups")}</h2>
      <ul>${backups.map((backup) => html`
        <li key=${backup.name}><button class="plain" type="button" data-name=${backup.name}
          onClick=${() => look(backup)}>${backupWords(backup)}</button></li>`)}</ul>
      <p role="status">${refusal || status || unknown || (backups.length ? "" : say("None yet: an installed board makes one at each start, and each hour."))}</p>
      ${content && html`<${Inside} key=${content.summary.name} ...${{ content, labels, sends, restore }} />`}
    </section>`;
}

/** @param {{content: Api.BackupContent, labels: Record<string, Api.SideLabel>, sends: boolean, restore: (backup: Api.BackupSummary) => void}} props */
function Inside({ content: { summary, games, faults }, labels, sends, restore }) {
  const [sure, setSure] = useState(false);
  return html`
    <div id="inside">
      <h3>${backupWords(summary)}</h3>
      <ul>
        ${games.slice(0, GAMES_IN_BACKUP).map((game) => html`
          <li>${say("Game {number}", { number: game.number })}, ${dateWords(game.begun)}: ${endWords(game, labels)}</li>`)}
        ${faults.map((fault) => html`<li>${fault}</li>`)}
      </ul>
      <button id="restore" class="plain" type="button" disabled=${sends} onClick=${() => (sure ? restore(summary) : setSure(true))}>
        ${sure ? say("Restore: what is there now is kept as a backup") : say("Restore this backup")}
      </button>
    </div>`;
}

/** @param {Api.BackupSummary} backup */
function backupWords({ made, games, on_stick: onStick, of_others: ofOthers }) {
  const values = { date: dateWords(made), games: many(games, "{n} game", "{n} games") };
  if (ofOthers) return say("{date}: {games}, on the USB stick, of another board", values);
  return onStick ? say("{date}: {games}, on the USB stick", values) : say("{date}: {games}", values);
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
