// @ts-check
/** State of the board's page, which draws itself again with each change. */

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
import { LatestState } from "./latest_state.js";
import { learnKeys } from "./panel.js";
import { Taps, tapWords } from "./taps.js";

/**
 * An open dialog: its component, what it is given besides the page's own, and whether a demo closes it.
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
    /** Number of this page's stream, 0 before the first. */
    this.viewer = 0;
    /** @type {OpenDialog | null} */
    this.dialog = null;
    /** Words for screen readers on what is new, and the lines that will be announced next. */
    this.announced = "";
    /** @type {string[]} */
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

  /** The news, with what answers to taps have told since; null before the first. */
  get news() {
    return this.latest.now;
  }

  /** @param {Api.TableNews} news */
  follow(news) {
    if (news.demo && this.dialog?.ofGame) this.dialog = null;
    this.latest.follow(news);
    this.feedback.follow(news, news.table.teams);
    const cut = news.cards?.cut ?? "";
    if (cut && cut !== this.cut) this.log.add({ seq: 0, line: cut, events: [], undone: [] });
    this.cut = cut;
    if (!news.demo) this.adviser.refresh();
    this.changed();
  }

  /** The sides that play, as options of a form. */
  get sides() {
    return Object.keys(this.news?.table.teams ?? {}).map((side) => {
      const { name, colour } = this.about.teams[side];
      return { value: side, label: name, colour };
    });
  }

  /** @param {Api.EntryResponse} entry */
  add(entry) {
    if (!this.log.add(entry)) return;
    this.lines.push(entry.line);
    this.sound.add(entry);
  }

  /** Announce the new entries, in one, and the positions of the sides. */
  announce() {
    const lines = this.lines.splice(0);
    if (lines.length && this.news) this.announced = `${lines.join(" ")} ${standingWords(this.news.table, this.about.teams)}`;
    this.changed();
  }

  /**
   * Open a dialog, whose module is loaded when it is first used.
   *
   * @param {() => Promise<unknown>} load its component
   * @param {{ofGame?: boolean} & Record<string, unknown>} [options] `ofGame`: a demo closes it; the rest is given to it
   */
  async open(load, { ofGame = false, ...props } = {}) {
    try {
      const View = await load();
      if (ofGame && this.news?.demo) return; // it began while the module was on its way
      this.dialog = { View, props, ofGame };
      this.changed();
    } catch {
      this.feedback.show(say("The table cannot be reached."));
    }
  }

  /** Close a dialog, unless another has taken its place. @param {OpenDialog} dialog */
  close(dialog) {
    if (this.dialog !== dialog) return;
    this.dialog = null;
    this.changed();
  }

  /**
   * Send a request to the table; a refusal is shown like that of a press.
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
