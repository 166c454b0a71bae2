// @ts-check
/** Card of a win: its worth in games, facts about the game, and buttons for the next game. */

import { many, percent, say } from "../i18n/language.js";
import { bannerWords, longestWord } from "../table/standing.js";
import { useFetched, useSending } from "../ui/forms.js";
import { html, useLayoutEffect, useRef } from "../vendor/preact.js";

/** Worth of a double skunk in games. */
const DOUBLE = 4;

/** Return the colour of a title of a win, and the length of its longest word. @param {string} head @param {Api.SideLabel} side */
export function titleStyle(head, { colour }) {
  return { "--side": colour, "--letters": longestWord(head) };
}

/**
 * @param {{news: Api.TableNews, labels: Record<string, Api.SideLabel>, runs?: boolean, choose?: () => void, close?: () => void,
 *   place?: (card: HTMLElement) => void}} props `choose`: opens the dialog for a new game; `place`: places the drawn card
 */
export function WinCard({ news, labels, runs, choose, close, place }) {
  const card = useRef(null);
  useLayoutEffect(() => place?.(/** @type {any} */ (card.current)));
  const { value } = useFetched("/api/newest-game", news.seq);
  const won = /** @type {Api.WonGame | null} */ (value?.won ?? null); // without an answer, only the winner is known
  const { head, below, side = "" } = /** @type {import("../table/standing.js").Banner} */ (bannerWords(news, labels));
  return html`
    <section id="win" ref=${card} class="guide-card" aria-labelledby="win-title" style=${titleStyle(head, labels[side])}>
      <header>
        <h2 id="win-title">${head}</h2>
        <button class="plain" type="button" onClick=${close}>${say("Close")}</button>
      </header>
      <p class="worth">${won && worthWords(won)}</p>
      ${won && html`<${Race} ...${{ won, labels }} /><${Facts} ...${{ won, labels }} />`}
      <p id="next">${below}</p>
      <nav class="choices">
        ${runs && !news.night?.awaited.length && html`
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

/** @param {Api.MatchValue} match */
function nextWords({ to, winner }) {
  if (to === null) return say("Rematch");
  return winner === null ? say("Next game of the match") : say("New match");
}

/** @param {Api.WonGame} won */
function worthWords({ game: { worth } }) {
  if (!worth || worth === 1) return say("Worth one game");
  return worth < DOUBLE ? say("Skunk, worth {games} games", { games: worth }) : say("Double skunk, worth {games} games", { games: worth });
}

/** @param {{won: Api.WonGame, labels: Record<string, Api.SideLabel>}} props */
function Facts({ won: { game, best, turning }, labels }) {
  const hands = many(game.hands, "{n} hand", "{n} hands");
  const minutes = many(Math.max(1, Math.round(((game.ended ?? game.begun) - game.begun) / 60)), "{n} minute", "{n} minutes");
  const told = [[say("Length"), say("{hands}, {minutes}", { hands, minutes })]];
  if (best) told.push([say("Best count"), say("{name}, {n}", { name: labels[best.team].name, n: best.points })]);
  if (turning) {
    const values = { words: turning.words, gain: percent(turning.gain) };
    told.push([say("The count that turned it"), say("{words} Chance to win: +{gain}", values)]);
  }
  return html`<dl class="facts">${told.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`;
}

/** @param {{won: Api.WonGame, labels: Record<string, Api.SideLabel>}} props */
function Race({ won: { game, progress }, labels }) {
  const ends = Object.entries(progress).map(([side, holes]) => `${labels[side].name} ${holes.at(-1)}`).join(", ");
  const last = Math.max(1, Object.values(progress)[0].length - 1);
  return html`
    <svg class="race" viewBox=${`0 0 ${last} ${game.finish}`} preserveAspectRatio="none" role="img"
      aria-label=${say("The race, hole by count; at its end {ends}", { ends })}>
      ${Object.entries(progress).map(([side, holes]) => html`
        <polyline style=${{ "--side": labels[side].colour }} points=${holes.map((hole, at) => `${at},${game.finish - hole}`).join(" ")} />`)}
    </svg>`;
}
