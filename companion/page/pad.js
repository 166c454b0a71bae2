// @ts-check
/**
 * A score pad: one side's buttons on a phone. A tap is shown at once, marked as unconfirmed until the table has
 * received it.
 */

import { connectionWords, matchWords, onPath } from "./i18n/labels.js";
import { say } from "./i18n/language.js";
import { HeldKey, Key } from "./net/held_keys.js";
import { NO_CONNECTION, Stream } from "./net/stream.js";
import { keepAwake } from "./net/wake_lock.js";
import { Join } from "./pairing/join.js";
import { Adviser, AdviserSwitch, adviceWords, fetchAdvice, landingWords } from "./table/adviser.js";
import { EventLines, EventLog } from "./table/event_log.js";
import { FadingLine, Feedback } from "./table/feedback.js";
import { Positions, bannerWords, ownHandWords, sideWords } from "./table/standing.js";
import { LatestState, Taps, countTaps, pendingAfter, tapWords } from "./table/taps.js";
import { LiveAbout, fetchAbout } from "./ui/about.js";
import { classes } from "./ui/dialog.js";
import { LanguageChoice } from "./ui/forms.js";
import { html, render } from "./vendor/preact.js";

/** Counts that have their own key. The user enters other counts with +1 and +5. */
const QUICK = [2, 3, 4, 6, 7, 8, 9, 10, 12, 14, 16, 20];
/** Time in seconds added to the hold that a button needs, because holds are rounded. */
const MARGIN_S = 0.05;
/** Action of the key that the user must hold, by the kind of the hint. @type {Record<string, string>} */
const HOLDS = {
  "hold-undo": "undo", "count-pending": "deal", "nobody-counted": "deal", "box-forgotten": "deal", "result-awaited": "deal",
};

/** Side of this pad, "" until the user has chosen one. */
const side = /^[1-9]$/.exec(new URLSearchParams(location.search).get("side") ?? "")?.[0] ?? "";
const live = new LiveAbout(await fetchAbout(), (now) => {
  taps.begin(now.run);
  draw();
});
/** Advice by side, with the outlook of each count. @type {Record<string, Api.Advice>} */
let outlooks = {};
/** `seq` of the table at which the outlooks were fetched. */
let outlooksOf = -1;
let connection = NO_CONNECTION;
/** Reason why taps were dropped or refused. */
let lost = "";
/** Open question about the last Enter, which the table did not carry out. @type {Api.Doubt | null} */
let doubt = null;
/** Time for which the question accepts no answer, so that the second tap of a double tap does not answer it. */
const ANSWER_AFTER_MS = 600;
/** Time of `performance.now` from which the question accepts an answer. */
let answerFrom = 0;

const latest = new LatestState();
const feedback = new Feedback(draw);
const adviser = new Adviser(draw);
/** The pad has space for only the latest entry. */
const log = new EventLog(draw, 1);
const taps = new Taps(live.now.run, {
  changed: () => {
    latest.hold(taps.waiting.length > 0);
    draw();
  },
  answered: (answer) => {
    if (answer.doubt) {
      doubt = answer.doubt;
      answerFrom = performance.now() + ANSWER_AFTER_MS;
      setTimeout(draw, ANSWER_AFTER_MS);
    }
    latest.answered(answer);
  },
  lost: (why, status) => {
    lost = why;
    draw();
    if (status) live.renew(); // the server may have restarted, or may have removed this phone
  },
});

keepAwake();
taps.resume();
new Stream("/api/stream", {
  hello: ({ run }) => {
    latest.begin(run);
    outlooksOf = -1;
    live.renew();
  },
  news: (news) => {
    live.follow(news);
    latest.follow(news);
    draw();
  },
  entry: (entry) => void log.add(entry),
  state: (now) => {
    connection = now;
    draw();
  },
});

/** @param {Api.Tap[]} made */
function press(...made) {
  lost = "";
  taps.press(...made);
}

/** Enter a count with one key. @param {number} points */
function pressCount(points) {
  // Above the limit the table would accept only the first of the taps, and the count would be wrong.
  const most = live.now.most_points;
  if (pending() + points <= most) return press(...countTaps(side, points));
  lost = say("A count is {most} at most", { most });
  draw();
}

/** Return the count that will be pending after the table has received all taps. */
function pending() {
  const own = latest.now?.table.teams[side];
  return pendingAfter(side, own?.pending ?? 0, taps.waiting);
}

function draw() {
  const { now } = latest;
  if (!pending()) doubt = null;
  if (`${now?.hint?.team ?? side}` === side && now) feedback.follow(now, {});
  render(html`<${Pad} news=${now} />`, document.body);
  if (now && live.now.teams[side]) fetchOutlooks(now.table.seq);
}

/** Fetch the outlook of each count, once for each `seq`. @param {number} seq */
async function fetchOutlooks(seq) {
  if (seq === outlooksOf) return;
  outlooksOf = seq;
  adviser.refresh();
  const found = await fetchAdvice();
  if (seq !== outlooksOf) return;
  outlooks = found;
  draw();
}

/** @param {{news: Api.TableNews | null}} props */
function Pad({ news }) {
  const label = live.now.teams[side];
  const screen = !label ? "choose" : live.now.right === "watch" ? "join" : "score";
  document.documentElement.style.setProperty("--side", label?.colour ?? "");
  return html`
    <main class="pad" data-screen=${screen}>
      <${Header} news=${news} />
      ${screen === "choose" ? html`<${Choose} news=${news} />` : html`
        <${Count} news=${news} />
        <ul id="others" class="fronts" aria-label=${say("The other sides")}>
          ${news && html`<${Positions} sides=${Object.keys(news.table.teams).filter((each) => each !== side)} table=${news.table} labels=${live.now.teams} />`}
        </ul>
        <${EventLines} id="told" entries=${log.entries} about=${live.now} aria-live="polite" aria-label=${say("What happened last")} />
        <${Lines} news=${news} />`}
      ${screen === "join" && html`
        <section id="join" class="join" aria-label=${say("Let this phone in")}>
          <${Join} right="score" consents=${news?.consents ?? []} done=${() => live.renew()} own=${{ side, name: label.name }} />
        </section>`}
      ${screen === "score" && (doubt ? html`<${Question} ...${{ doubt, name: label.name }} />` : html`<${Keys} />`)}
      ${screen !== "choose" && html`
        <footer>
          <${AdviserSwitch} adviser=${adviser} />
          <a id="counter" class="plain" href=${`/counter?side=${encodeURIComponent(side)}`}>${say("Count a hand")}</a>
          <a class="plain" href="/pad">${say("Other side")}</a>
          <a class="plain" href="/">${say("Board")}</a>
          <${LanguageChoice} about=${live.now} />
        </footer>`}
    </main>`;
}

/** @param {{news: Api.TableNews | null}} props */
function Header({ news }) {
  const label = live.now.teams[side];
  const banner = news && bannerWords(news, live.now.teams);
  return html`
    <header>
      <h1 id="who">${label?.name ?? say("Score pad")}</h1>
      <p id="connection" role="status" data-state=${connection.state}>${connectionWords(connection)}</p>
      <p id="hand">${news && label && (banner ? banner.head || banner.below : ownHandWords(news.table, live.now.teams, side))}</p>
      <p id="match">${news && label && matchWords(news.match, live.now.teams)}</p>
    </header>`;
}

/** Selection of the side that this phone scores for. @param {{news: Api.TableNews | null}} props */
function Choose({ news }) {
  return html`
    <nav id="choose" aria-labelledby="choose-title">
      <h2 id="choose-title">${say("Which side does this phone score for?")}</h2>
      <ul>${Object.entries(live.now.teams).map(([each, { name, colour }]) => html`
        <li key=${each} class=${classes(news && !(each in news.table.teams) && "away")}>
          <a class="key" href=${`/pad?side=${each}`} style=${{ "--side": colour }}>${name}</a>
        </li>`)}</ul>
    </nav>`;
}

/** @param {{news: Api.TableNews | null}} props */
function Count({ news }) {
  const own = news?.table.teams[side];
  const points = own ? pending() : 0;
  const lands = outlooks[side]?.outlooks.find((each) => each.points === points);
  const path = own ? onPath(own.front) : null;
  const looks = [news && (!own || own.folded || own.boxed > 0) && "out", path && "path", taps.waiting.length > 0 && "unsure"];
  const advice = adviser.advice[side];
  return html`
    <section id="count" aria-label=${say("The count")} class=${classes(...looks)}>
      <p id="front"><span class="hidden">${say("On hole")}${" "}</span><span class="hole">${own && (path?.short ?? own.front)}</span></p>
      <p id="pending">${points > 0 && `+${points}`}</p>
      <p id="lands" role="status">${points > 0 && (lands ? landingWords(lands) : say("{points} pending", { points }))}</p>
      <p id="state">${own ? sideWords(own, news?.boxes?.[side]) : news && say("not playing")}</p>
      <p id="advice">${advice && adviceWords(advice)}</p>
    </section>`;
}

/** Messages about faults and about presses without an effect. @param {{news: Api.TableNews | null}} props */
function Lines({ news }) {
  const banner = news && bannerWords(news, live.now.teams);
  return html`
    <div class="lines">
      <p id="unsent" role="status">${taps.stuck && say("Not sent yet, trying again: {taps}", { taps: tapWords(taps.waiting) })}</p>
      <p id="lost" role="alert">${lost}</p>
      <p id="unsaved" role="alert" hidden=${news?.saved ?? true}>${say("Not saved: the journal cannot be written.")}</p>
      <p id="feedback" role="status"><${FadingLine} feedback=${feedback} /></p>
      <p id="below">${banner?.head && banner.below}</p>
    </div>`;
}

/**
 * Question about a pending count that another device may have entered already, or has entered in part.
 *
 * @param {{doubt: Api.Doubt, name: string}} props
 */
function Question({ doubt: { kind, points }, name }) {
  const count = pending();
  const disabled = performance.now() < answerFrom;
  const answer = (/** @type {Api.Tap} */ tap) => {
    doubt = null;
    press(tap);
  };
  return html`
    <section id="question" role="alertdialog" aria-labelledby="question-says">
      <p id="question-says">${kind === "counted"
        ? say("{name} counted {points} a moment ago, on another phone or at the table. Enter {count} more?", { name, points, count })
        : say("{count} points are pending, and another phone has entered some of them. Is it one count?", { count })}</p>
      <${Key} name="bright" disabled=${disabled} act=${() => answer({ button: `${side}.enter`, held: 0 })}>${say("Enter {count}", { count })}<//>
      <${Key} name="dark" disabled=${disabled} act=${() => answer({ button: `${side}.undo`, held: holdOf(`${side}.undo`) })}>${say("Take {count} back", { count })}<//>
    </section>`;
}

/** Return the longest useful hold of a button in seconds. @param {string} button */
function holdOf(button) {
  return live.now.panel[button].hold_s + MARGIN_S;
}

/** Button of the panel. A button that can be held acts when it is released. @param {{button: string}} props */
function PanelKey({ button }) {
  const { action, label, points, hold_s: canBeHeld, runs_table: runs } = live.now.panel[button];
  const attributes = { "data-key": action, hidden: runs && live.now.right !== "run", children: label };
  if (!canBeHeld) {
    return html`<${Key} name=${points ? "" : "bright"} ...${attributes} act=${() => press({ button, held: 0, if_alone: true })} />`;
  }
  const isForgotten = action === "deal" && latest.now?.hint?.kind === "deal-forgotten";
  // After a hint to hold the key, a click without a hold counts as a hold.
  const clicked = () => (HOLDS[latest.now?.hint?.kind ?? ""] === action ? holdOf(button) : 0);
  return html`
    <${HeldKey} name=${classes("dark", isForgotten && "hint")} ...${{ ...attributes, clicked }} longest_s=${holdOf(button)}
      act=${(/** @type {number} */ held) => press({ button, held })} aria-describedby=${runs ? "mode-says" : undefined} />`;
}

function Keys() {
  const keys = Object.entries(live.now.panel).map(([button, row]) => ({ ...row, key: html`<${PanelKey} key=${button} button=${button} />` }));
  const own = keys.filter((each) => `${each.side}` === side);
  return html`
    <section id="keys" data-part="keys" aria-label=${say("The buttons")}>
      <div id="quick" role="group" aria-label=${say("Quick counts")}>${QUICK.map((points) => html`
        <${Key} key=${points} name="quick" aria-label=${say("count {points}", { points })} act=${() => pressCount(points)}>${points}<//>`)}</div>
      <div class="row">${own.filter(({ points }) => points).map(({ key }) => key)}</div>
      <div class="row">${own.filter(({ points }) => !points).map(({ key }) => key).reverse()}</div>
      <div class="row small">${keys.filter((each) => !each.side).map(({ key }) => key)}</div>
      <p id="mode-says" class="hidden">${say("Short: brightness. Held two seconds: the demo. Five seconds: a new game.")}</p>
    </section>`;
}
