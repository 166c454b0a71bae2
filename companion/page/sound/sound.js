// @ts-check
/**
 * Sounds and speech of this device for events on the board. The level is off, short or full. A new line
 * interrupts the line that is being spoken.
 */

import { facts } from "../ui/about.js";
import { recall, remember } from "../net/storage.js";

const LEVEL = "sound";

/** @typedef {"off" | "short" | "full"} Level */

const NOTE_S = 0.13;
const VOLUME = 0.2;
/** Volume at the start and at the end of a note; an exponential ramp cannot reach 0. */
const SILENCE = 0.0001;

/** @returns {Level} */
export function soundLevel() {
  const level = recall(LEVEL);
  return level === "short" || level === "full" ? level : "off";
}

export class Sound {
  /** @param {string} language of the spoken lines */
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

  /** Open the audio output. Browsers allow this only after a press. */
  open() {
    if (soundLevel() === "off") return;
    this.context ??= new AudioContext();
    this.context.resume();
  }

  /** @param {Api.EntryResponse} entry */
  add({ line, events, undone }) {
    const level = soundLevel();
    if (level === "off" || undone.length) return;
    const happened = Object.entries(facts.event_kinds).filter(([kind]) => events.some((event) => event.kind === kind));
    const tune = happened.map(([, facts]) => facts.tune).filter(({ length }) => length).at(-1); // only the last tune
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
