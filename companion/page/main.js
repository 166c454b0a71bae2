// @ts-check
/** The board's page. The event stream updates lamps, panel and texts; the panel's buttons press the mock buttons. */

import { drawGuide } from "./guide/guide.js";
import { Stream } from "./net/stream.js";
import { takeReopening } from "./pairing/let_in.js";
import { PageStore } from "./table/page_store.js";
import { drawSheet } from "./table/sheet.js";
import { Signs } from "./table/signs.js";
import { TablePage } from "./table/table_page.js";
import { DIALOGS } from "./table/tools.js";
import { listenForHelp } from "./ui/shortcuts.js";
import { LiveAbout, fetchAbout } from "./ui/about.js";
import { reload } from "./ui/reload.js";
import { html, render } from "./vendor/preact.js";

/** @param {string} where */
const find = (where) => /** @type {HTMLElement} */ (document.querySelector(where));

const live = new LiveAbout(await fetchAbout(), (now, before) => {
  if (now.run !== before.run) return void reload(); // the program may have been updated
  page.about = guide.about = now;
  page.sound.language = now.language;
  page.changed();
  guide.changed();
  drawn.then((sheet) => sheet.follow(now));
});
const page = new PageStore(live.now);
const draw = () => render(html`<${TablePage} page=${page} />`, document.body);
page.subscribe(draw);
draw();
/** True if the page must open the dialog about phones again, after a restart that lets phones in. */
let reopens = takeReopening();
listenForHelp(() => page.open(DIALOGS.view));
const drawn = drawSheet(find(".sheet"), live.now, find("#zoom"));
const signs = drawn.then((sheet) => new Signs(sheet));
const guide = drawGuide(find("#guide"), {
  about: live.now,
  actions: {
    together: () => page.open(DIALOGS.newGame),
    computer: () => page.open(DIALOGS.dealing),
    demo: () => page.send("/api/demo", { on: true }),
    place: (card) => signs.then((queue) => queue.placeCard(card)),
  },
  help: find("#help"),
});

new Stream("/api/stream", {
  hello: ({ run, viewer, seq }) => {
    const isFirst = !page.viewer;
    page.viewer = viewer;
    page.latest.begin(run);
    page.log.begin(seq);
    if (isFirst) page.taps.resume();
    else live.renew();
    drawn.then(({ light }) => light.reset());
  },
  frame: (text) => drawn.then(({ light }) => light.show(text)),
  news: (news) => {
    live.follow(news);
    page.follow(news);
    guide.show(news);
    signs.then((queue) => queue.follow(news));
    if (reopens) page.open(DIALOGS.phones);
    reopens = false;
  },
  entry: (entry) => {
    if (!page.add(entry)) return;
    const isWon = entry.events.some(({ kind }) => /won$/.test(kind)); // a card tells of the win
    signs.then((queue) => (isWon ? queue.clear() : queue.add(entry.events)));
  },
  state: (connection) => {
    page.connection = connection;
    page.changed();
  },
});
