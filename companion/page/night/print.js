// @ts-check
/** Sheets to print: the seating of the round, the standings, and a score card for each side. */

import { say } from "../i18n/language.js";
import { fetchText } from "../net/request.js";
import { html, render } from "../vendor/preact.js";
import { fetchNightAbout } from "./night_store.js";

await fetchNightAbout();
/** @type {Api.OrganiserView} */
const night = JSON.parse(await fetchText("/api/night"));

/** @param {{night: Api.OrganiserView}} props */
function Sheets({ night: { hall, cards } }) {
  const title = hall.title || say("Game night");
  const round = hall.seats ?? hall.next;
  return html`
    <p class="screen"><button type="button" onClick=${() => print()}>${say("Print")}</button></p>
    ${round && html`<section>
      <h1>${title}</h1><h2>${say("Seats of round {round}", { round: round.number })}</h2>
      <ul class="seating">${round.pairs.map(({ table, names }) => html`
        <li key=${table}><strong>${table}</strong> ${names[0]} – ${names[1]}</li>`)}
        ${round.bye && html`<li>${say("{name} sits out", { name: round.bye })}</li>`}</ul>
    </section>`}
    <${Standings} title=${title} hall=${hall} />
    ${cards.map((card) => html`<${CardSheet} key=${card.id} card=${card} title=${title} rounds=${hall.planned_rounds} />`)}`;
}

/** @param {{title: string, hall: Api.HallView}} props */
function Standings({ title, hall }) {
  return html`
    <section>
      <h1>${title}</h1><h2>${say("Standings after round {round}", { round: hall.round })}</h2>
      <table>
        <thead><tr>
          <th scope="col">${say("Rank")}</th><th scope="col" class="name">${say("Side")}</th>
          <th scope="col">${say("Points")}</th><th scope="col">${say("Won")}</th><th scope="col">${say("Lost")}</th>
          <th scope="col">${say("Net")}</th><th scope="col">${say("Plus")}</th><th scope="col">${say("Qualifies")}</th>
        </tr></thead>
        <tbody>${hall.standings.map((place) => html`
          <tr key=${place.name}><td>${place.rank}</td><td class="name">${place.name}</td><td>${place.points}</td>
            <td>${place.won}</td><td>${place.lost}</td><td>${place.net}</td><td>${place.plus}</td><td>${place.qualifies ? "✓" : ""}</td></tr>`)}</tbody>
      </table>
    </section>`;
}

/** @param {{card: Api.CardView, title: string, rounds: number}} props */
function CardSheet({ card, title, rounds }) {
  const numbers = Array.from({ length: rounds }, (_, at) => at + 1);
  const [points, plus, minus] = totals(card);
  return html`
    <section class="card">
      <h2>${card.name} <small>${title}</small></h2>
      <table>
        <thead><tr>
          <th scope="col">${say("Round")}</th><th scope="col">${say("Table")}</th><th scope="col" class="name">${say("Opponent")}</th>
          <th scope="col">${say("Points")}</th><th scope="col">${say("Plus")}</th><th scope="col">${say("Minus")}</th>
        </tr></thead>
        <tbody>${numbers.map((number) => {
          const line = card.lines.find(({ round }) => round === number);
          return html`<tr key=${number}><td>${number}</td><td>${line?.table}</td><td class="name">${line?.opponent}</td>
            <td>${line?.points}</td><td>${line?.plus || ""}</td><td>${line?.minus || ""}</td></tr>`;
        })}</tbody>
        <tfoot><tr><th scope="row" colspan="3">${say("Total")}</th><td>${points}</td><td>${plus}</td><td>${minus}</td></tr></tfoot>
      </table>
    </section>`;
}

/** Return the game points, plus points and minus points of a card. @param {Api.CardView} card */
function totals({ lines }) {
  return [
    lines.reduce((sum, { points }) => sum + points, 0),
    lines.reduce((sum, { plus }) => sum + plus, 0),
    lines.reduce((sum, { minus }) => sum + minus, 0),
  ];
}

render(html`<${Sheets} night=${night} />`, /** @type {HTMLElement} */ (document.getElementById("sheets")));
