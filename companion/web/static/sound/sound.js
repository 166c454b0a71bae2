// @ts-check
/**
 * Sounds and speech of this device for what happens on the board: none, short or full. The browser
 * makes both; a new line interrupts the one that is spoken.
 */

import { facts } from "../ui/about.js";
import { recall, remember } from "../net/storage.js";

const LEVEL = "sound";

/** @typedef {"off" | "short" | "full"} Level */

const NOTE_S = 0.13;
const VOLUME = 0.2;
/** Volume from which and to which a note rises and falls: exponential ramps never reach 0. */
const SILENCE = 0.0001;

/** @returns {Level} */
export function soundLevel() {
  const level = recall(LEVEL);
  return level === "short" || level === "full" ? level : "off";
}

export class Sound {
  /** @param {string} language of the lines that are spoken */
  constructor(language) {
    this.language = language;
    /** @type {AudioContext | null} */
    this.context = null;
    addEventListener("pointerdown", () => this.open(), { once: true });
  }

  /** @param {Level} level */
  choose(level) {
    remember(LEVEL, level);
    this.open();
    if (level === "off") speechSynthesis.cancel();
    else this.play(facts.event_kinds.advanced.tune);
  }

  /** Make the audio output, which browsers allow only after a press. */
  open() {
    if (soundLevel() === "off") return;
    this.context ??= new AudioContext();
    this.context.resume();
  }

  /** @param {Api.EntryResponse} entry that is new */
  add({ line, events, undone }) {
    const level = soundLevel();
    if (level === "off" || undone.length) return;
    const happened = Object.entries(facts.event_kinds).filter(([kind]) => events.some((event) => event.kind === kind));
    const tune = happened.map(([, facts]) => facts.tune).filter(({ length }) => length).at(-1); // the last one of several
    if (tune) this.play(tune);
    if (tune || level === "full") this.speak(line);
  }

  /** @param {number[]} notes */
  play(notes) {
    const { context } = this;
    if (!context) return;
    notes.forEach((frequency, at) => {
      const start = context.currentTime + at * NOTE_S;
      const tone = new OscillatorNode(context, { type: "triangle", frequency });
      const volume = new GainNode(context, { gain: SILENCE });
      volume.gain.setValueAtTime(SILENCE, start);
      volume.gain.exponentialRampToValueAtTime(VOLUME, start + NOTE_S / 4);
      volume.gain.exponentialRampToValueAtTime(SILENCE, start + 2 * NOTE_S);
      tone.connect(volume).connect(context.destination);
      tone.start(start);
      tone.stop(start + 2 * NOTE_S);
    });
  }

  /** @param {string} line */
  speak(line) {
    const words = new SpeechSynthesisUtterance(line);
    words.lang = this.language;
    speechSynthesis.cancel();
    speechSynthesis.speak(words);
  }
}
