// @ts-check
/** The settings in the files, and the changes on this page that are not saved yet. */

import { deliver, request } from "../net/request.js";
import { Store } from "../ui/store.js";

/** Settings of the game: its board, its sides and its house rules. */
const OF_THE_GAME = /^(board|teams|players|preset|rules\..*)$/;

export class Draft extends Store {
  /**
   * @param {Api.SettingsForm} told
   * @param {() => Promise<void>} written called after each save
   */
  constructor(told, written) {
    super();
    this.told = told;
    this.written = written;
    /** @type {Record<string, any>} */
    this.changes = {};
    /** @type {Api.SettingFault[]} */
    this.faults = [];
    /** Reason why nothing was saved or read, if it does not concern a single setting. */
    this.error = "";
    /** True if the file has changed since this page read it. */
    this.stale = false;
    /** Effect of the changes on the running game. @type {Api.Preview["game"]} */
    this.effect = "unchanged";
    /** JSON of the changes whose effect was asked for last. */
    this.previewed = "{}";
    /** True from a save by `saveAtOnce` until the next change. */
    this.acts = false;
    /** Promise of the last save or read. They run one after another. @type {Promise<unknown>} */
    this.last = Promise.resolve();
  }

  /** @param {string} key */
  setting(key) {
    return this.told.settings.find((each) => each.key === key);
  }

  /**
   * Return the value of a setting, or of an entry in a table such as `names.1`, with the page's unsaved changes.
   *
   * @param {string} key
   * @returns {any}
   */
  value(key) {
    const changed = this.changes[key];
    if (changed !== undefined && changed !== null) return changed;
    return changed === null || this.isByPreset(key) ? this.usual(key) : this.part(key, "value");
  }

  /** Return true if the value of a setting comes from the preset. @param {string} key */
  isByPreset(key) {
    return this.setting(key)?.origin.startsWith("preset ") ?? false;
  }

  /**
   * Return the default value. For the board and the house rules it is the value of the chosen preset.
   *
   * @param {string} key
   * @returns {any}
   */
  usual(key) {
    const usual = this.part(key, "default");
    if (!("preset" in this.changes && (key === "board" || key.startsWith("rules.")))) return usual;
    const preset = this.told.presets[this.changes.preset ?? this.part("preset", "default")];
    const given = preset?.[key.replace("rules.", "")] ?? usual;
    return this.setting(key)?.kind === "switch" ? given === "true" : given;
  }

  /** @param {string} key @param {"value" | "default"} which */
  part(key, which) {
    const whole = this.setting(key);
    if (whole) return whole[which];
    const table = this.told.settings.find((each) => key.startsWith(`${each.key}.`));
    return table?.[which][key.slice(table.key.length + 1)];
  }

  /** @param {string} key @param {any} value new value, or null for the default */
  set(key, value) {
    const same = value === null ? !this.isSet(key) : isEqual(value, this.part(key, "value"));
    if (same) delete this.changes[key];
    else this.changes[key] = value;
    this.faults = this.faults.filter((fault) => fault.key !== key);
    this.acts = false;
    this.tell();
  }

  /**
   * Return true if the file of this page sets the value. A house rule or an entry of a table counts as set if it
   * differs from the default, whichever file it is from.
   *
   * @param {string} key
   */
  isSet(key) {
    const whole = this.setting(key);
    if (whole && !key.startsWith("rules.")) return whole.origin === this.told.file;
    return !this.isByPreset(key) && !isEqual(this.part(key, "value"), this.usual(key));
  }

  /** Return the faults of a setting and of the entries in it, as texts. @param {string} key */
  faultsOf(key) {
    return this.faults
      .filter((fault) => fault.key === key || fault.key?.startsWith(`${key}.`))
      .map(faultWords);
  }

  /** Return the faults that do not concern a single setting, as texts. */
  get otherFaults() {
    return this.faults.filter((fault) => fault.key === null).map(faultWords);
  }

  get count() {
    return Object.keys(this.changes).length;
  }

  /** Discard all unsaved changes. */
  drop() {
    this.changes = {};
    this.faults = [];
    this.error = "";
    this.tell();
  }

  /** Save the changes. Return true if all of them are in the file. @returns {Promise<boolean>} */
  save() {
    return this.inTurn(() => this.write());
  }

  /** Read the file again; unsaved changes stay. */
  reload() {
    return this.inTurn(() => this.read());
  }

  /**
   * Call `act` after all earlier calls have ended, with or without success.
   *
   * @template Done
   * @param {() => Promise<Done>} act
   * @returns {Promise<Done>}
   */
  inTurn(act) {
    const done = this.last.then(act);
    this.last = done.catch(() => null);
    return done;
  }

  /** Save the change of a setting that takes effect at once. @param {string} key */
  saveAtOnce(key) {
    return this.inTurn(async () => {
      this.acts = key in this.changes && (await this.write([key]));
      this.changed();
    });
  }

  async write(keys = Object.keys(this.changes)) {
    const changes = Object.fromEntries(keys.map((key) => [key, this.changes[key]]));
    const body = { changes, stamp: this.told.stamp };
    const { status, value, refusal } = await deliver("/api/settings", body, (why) => this.show(why));
    this.stale = status === 409;
    this.faults = refusal ? this.placed(value?.faults ?? [], keys) : [];
    this.error = this.faults.length ? "" : refusal;
    this.acts = false;
    if (!refusal) {
      this.told = value;
      for (const key of keys) delete this.changes[key];
      await this.written();
      if (keys.includes("language")) await this.read(); // the answer was in the previous language
    }
    this.tell();
    return !refusal;
  }

  /**
   * Return the faults with their keys. If only one setting was changed, faults without a key get its key.
   *
   * @param {Api.SettingFault[]} faults
   * @param {string[]} changed
   * @returns {Api.SettingFault[]}
   */
  placed(faults, [only, another]) {
    return faults.map((fault) => ({ ...fault, key: fault.key ?? (another ? null : only ?? null) }));
  }

  /** @param {string} why reason why nothing has been saved yet */
  show(why) {
    this.error = why;
    this.changed();
  }

  async read() {
    const { value, refusal } = await request("/api/settings");
    if (!refusal) {
      this.told = value;
      this.stale = false;
    }
    this.error = refusal;
    this.tell();
  }

  /** Ask for the effect of the changes on the running game. */
  async preview() {
    const changes = Object.fromEntries(Object.entries(this.changes).filter(([key]) => OF_THE_GAME.test(key)));
    const now = JSON.stringify(changes);
    if (now === this.previewed) return;
    this.previewed = now;
    const body = { changes, stamp: this.told.stamp };
    const answer = now === "{}" ? null : await request("/api/settings/preview", body);
    if (now !== this.previewed) return;
    this.effect = answer && !answer.refusal ? answer.value.game : "unchanged";
    this.tell();
  }

  tell() {
    this.preview();
    this.changed();
  }
}

/** @param {Api.SettingFault} fault */
function faultWords({ problem, remedy }) {
  return remedy ? `${problem}; ${remedy}` : problem;
}

/** @param {any} one @param {any} other */
function isEqual(one, other) {
  return JSON.stringify(one) === JSON.stringify(other);
}
