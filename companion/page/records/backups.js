// @ts-check
/** List of the automatic backups. The user can look into a backup, and restore it by two presses on Restore. */

import { many, say } from "../i18n/language.js";
import { request } from "../net/request.js";
import { useFetched, useSending } from "../ui/forms.js";
import { html, useState } from "../vendor/preact.js";
import { dateWords, endWords } from "./game_labels.js";

const SHOWN = 10;

/** @param {{run: string, labels: Record<string, Api.SideLabel>}} props */
export function Backups({ run, labels }) {
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
          onClick=${() => look(backup)}>${labelOf(backup)}</button></li>`)}</ul>
      <p role="status">${refusal || status || unknown || (backups.length ? "" : say("None yet: an installed board makes one at each start, and each hour."))}</p>
      ${content && html`<${Inside} key=${content.summary.name} ...${{ content, labels, sends, restore }} />`}
    </section>`;
}

/** @param {{content: Api.BackupContent, labels: Record<string, Api.SideLabel>, sends: boolean, restore: (backup: Api.BackupSummary) => void}} props */
function Inside({ content: { summary, games, faults }, labels, sends, restore }) {
  const [sure, setSure] = useState(false);
  return html`
    <div id="inside">
      <h3>${labelOf(summary)}</h3>
      <ul>
        ${games.slice(0, SHOWN).map((game) => html`
          <li>${say("Game {number}", { number: game.number })}, ${dateWords(game.begun)}: ${endWords(game, labels)}</li>`)}
        ${faults.map((fault) => html`<li>${fault}</li>`)}
      </ul>
      <button id="restore" class="plain" type="button" disabled=${sends} onClick=${() => (sure ? restore(summary) : setSure(true))}>
        ${sure ? say("Restore: what is there now is kept as a backup") : say("Restore this backup")}
      </button>
    </div>`;
}

/** @param {Api.BackupSummary} backup */
function labelOf({ made, games, on_stick: onStick, of_others: ofOthers }) {
  const values = { date: dateWords(made), games: many(games, "{n} game", "{n} games") };
  if (ofOthers) return say("{date}: {games}, on the USB stick, of another board", values);
  return onStick ? say("{date}: {games}, on the USB stick", values) : say("{date}: {games}", values);
}
