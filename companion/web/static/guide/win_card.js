// @ts-check
/** Card of a win: its worth in games, facts about the game, and buttons for the next game. */

import { many, percent, say } from "../i18n/language.js";
import { confirmWords } from "../table/standing.js";
import { useSending } from "../ui/forms.js";
import { html } from "../vendor/preact.js";

/** Worth of a double skunk in games. */
const DOUBLE = 4;

/**
 * @param {{store: import("./guide_store.js").GuideStore, labels: Record<string, Api.SideLabel>, runs: boolean, choose: () => void}}
 *   props `choose`: opens the dialog for a new game
 */
export function WinCard({ store, labels, runs, choose }) {
  const { news, won } = store;
  if (!news) return null;
  const side = `${news.table.winner}`;
  const confirm = news.night ? confirmWords(news.night, labels) : "";
  return html`
    <section class="guide-card" aria-labelledby="win-title" style=${{ "--side": labels[side].colour }}>
      <header>
        <h2 id="win-title">${titleWords(labels[side].name, won?.game.worth ?? 1)}</h2>
        <button class="plain" type="button" onClick=${() => store.close()}>${say("Close")}</button>
      </header>
      ${won && html`
        <dl class="facts">${facts(won, labels).map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>
        <${Race} won=${won} labels=${labels} />`}
      <nav class="choices">
        ${confirm && html`<p>${confirm}</p>`}
        ${runs && !confirm && html`
          <${NextGame} match=${news.match} />
          <button class="plain" type="button" onClick=${choose}>${say("New game")}</button>`}
        <a class="plain" href=${won ? `/records#game=${won.game.number}&at=0` : "/records"}>${say("See it again")}</a>
      </nav>
    </section>`;
}

/** Button that begins the next game with the same sides. @param {{match: Api.MatchValue}} props */
export function NextGame({ match }) {
  const { send, sends, refusal } = useSending();
  return html`
    <button class="plain go" type="button" disabled=${sends} onClick=${() => send("/api/new-game", {})}>${nextWords(match)}</button>
    <span class="refusal" role="alert">${refusal}</span>`;
}

/** @param {string} name @param {number} games */
function titleWords(name, games) {
  if (games >= DOUBLE) return say("{name} wins: a double skunk, worth {games} games", { name, games });
  if (games > 1) return say("{name} wins: a skunk, worth {games} games", { name, games });
  return say("{name} wins", { name });
}

/** @param {Api.MatchValue} match */
function nextWords({ to, winner }) {
  if (to === null) return say("Rematch");
  return winner === null ? say("Next game of the match") : say("New match");
}

/**
 * @param {Api.WonGame} won
 * @param {Record<string, Api.SideLabel>} labels
 * @returns {[string, string][]}
 */
function facts({ game, best, turning }, labels) {
  const hands = many(game.hands, "{n} hand", "{n} hands");
  const minutes = many(Math.max(1, Math.round(((game.ended ?? game.begun) - game.begun) / 60)), "{n} minute", "{n} minutes");
  /** @type {[string, string][]} */
  const told = [[say("Length"), say("{hands}, {minutes}", { hands, minutes })]];
  if (best) told.push([say("Best count"), say("{name}, {n}", { name: labels[best.team].name, n: best.points })]);
  if (turning) {
    const values = { words: turning.words, gain: percent(turning.gain) };
    told.push([say("The count that turned it"), say("{words} Chance to win: +{gain}", values)]);
  }
  return told;
}

/** @param {{won: Api.WonGame, labels: Record<string, Api.SideLabel>}} props */
function Race({ won: { game, progress }, labels }) {
  const ends = Object.entries(progress).map(([side, holes]) => `${labels[side].name} ${holes.at(-1)}`).join(", ");
  const last = Math.max(1, Object.values(progress)[0].length - 1);
  return html`
    <svg class="race" viewBox=${`0 0 ${last} ${game.finish}`} preserveAspectRatio="none" role="img"
      aria-label=${say("The race, hole by count; at its end {ends}", { ends })}>
      ${Object.entries(progress).map(([side, holes]) => html`
        <polyline stroke=${labels[side].colour} points=${holes.map((hole, at) => `${at},${game.finish - hole}`).join(" ")} />`)}
    </svg>`;
}
