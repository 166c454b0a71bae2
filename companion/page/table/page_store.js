// @ts-check
/** State of the board's page. The page is redrawn with each change. */

import { standingWords } from "../i18n/labels.js";
import { say } from "../i18n/language.js";
import { deliver } from "../net/request.js";
import { NO_CONNECTION } from "../net/stream.js";
import { Sound } from "../sound/sound.js";
import { Store } from "../ui/store.js";
import { Adviser } from "./adviser.js";
import { ButtonInput } from "./button_input.js";
import { EventLog } from "./event_log.js";
import { Feedback } from "./feedback.js";
import { learnKeys } from "./panel.js";
import { LatestState, Taps, tapWords } from "./taps.js";

/**
 * Open dialog. `View` is its component, `props` are its own props, and a demo closes a dialog with `ofGame`.
 *
 * @typedef {{View: unknown, props: object, ofGame: boolean}} OpenDialog
 */

export class PageStore extends Store {
  /** @param {Api.About} about */
  constructor(about) {
    super();
    const changed = () => this.changed();
    this.about = about;
    this.latest = new LatestState();
    this.connection = NO_CONNECTION;
    /** Number of this page's stream, 0 before the stream is open. */
    this.viewer = 0;
    /** @type {OpenDialog | null} */
    this.dialog = null;
    /** Text for screen readers about the newest entries. */
    this.announced = "";
    /** Lines of the next announcement. @type {string[]} */
    this.lines = [];
    this.cut = "";
    this.feedback = new Feedback(changed);
    this.adviser = new Adviser(changed);
    this.log = new EventLog(() => this.announce());
    this.sound = new Sound(about.language);
    const buttons = Object.fromEntries(about.buttons.map((button) => [about.panel[button].code, button]));
    learnKeys(changed);
    this.input = new ButtonInput(buttons, (tap) => this.taps.press(tap), changed);
    this.taps = new Taps(
      about.run,
      {
        changed: () => {
          if (this.taps.stuck) this.feedback.note(say("Not sent yet, trying again: {taps}", { taps: tapWords(this.taps.waiting) }));
        },
        answered: ({ revision, table }) => {
          this.latest.answered({ revision, table });
          this.changed();
        },
        lost: (why) => this.feedback.show(why),
      },
      () => ({ viewer: this.viewer }),
    );
  }

  /** News with newer answers to taps merged in; null before the first news. */
  get news() {
    return this.latest.now;
  }

  /** @param {Api.TableNews} news */
  follow(news) {
    if (news.demo && this.dialog?.ofGame) this.dialog = null;
    this.latest.follow(news);
    this.feedback.follow(news, news.table.teams);
    const cut = news.cards?.cut ?? "";
    if (cut && cut !== this.cut) this.log.addCut(cut);
    this.cut = cut;
    if (!news.demo) this.adviser.refresh();
    this.changed();
  }

  /** Sides that play, as options of a form. */
  get sides() {
    return Object.keys(this.news?.table.teams ?? {}).map((side) => {
      const { name, colour } = this.about.teams[side];
      return { value: side, label: name, colour };
    });
  }

  /** Return true if the entry is new. @param {Api.EntryResponse} entry */
  add(entry) {
    if (!this.log.add(entry)) return false;
    this.lines.push(entry.line);
    this.sound.add(entry);
    return true;
  }

  /** Announce all new entries and the positions of the sides in one text. */
  announce() {
    const lines = this.lines.splice(0);
    if (lines.length && this.news) this.announced = `${lines.join(" ")} ${standingWords(this.news.table, this.about.teams)}`;
    this.changed();
  }

  /**
   * Open a dialog. Its module is loaded at the first use.
   *
   * @param {() => Promise<unknown>} load returns the component
   * @param {{ofGame?: boolean} & Record<string, unknown>} [options] `ofGame`: a demo closes it; others: its props
   */
  async open(load, { ofGame = false, ...props } = {}) {
    try {
      const View = await load();
      if (ofGame && this.news?.demo) return; // the demo began while the module was loading
      this.dialog = { View, props, ofGame };
      this.changed();
    } catch {
      this.feedback.show(say("The table cannot be reached."));
    }
  }

  /** Close a dialog. Do nothing if another dialog is open by now. @param {OpenDialog} dialog */
  close(dialog) {
    if (this.dialog !== dialog) return;
    this.dialog = null;
    this.changed();
  }

  /**
   * Send a request to the table. Show a refusal as feedback.
   *
   * @template {string} Path
   * @param {Path} path
   * @param {Api.Request<Path>} value
   */
  async send(path, value) {
    const { refusal } = await deliver(path, value, (why) => this.feedback.show(why));
    if (refusal) this.feedback.show(refusal);
  }
}
