// @ts-check
/**
 * Switch of the trap adviser. The browser stores its state. It is off by default, because some players call it
 * cheating. While it is on, the advice is fetched after each change of the table.
 */

import { say } from "../i18n/language.js";
import { request } from "../net/request.js";
import { recall, remember } from "../net/storage.js";
import { html } from "../vendor/preact.js";

const STORED_AS = "adviser";

export class Adviser {
  /** @param {() => void} changed */
  constructor(changed) {
    this.changed = changed;
    this.isOn = recall(STORED_AS) === "on";
    /** Advice by side, empty while the adviser is off. @type {Record<string, Api.Advice>} */
    this.advice = {};
    this.requests = 0;
  }

  toggle() {
    this.isOn = !this.isOn;
    remember(STORED_AS, this.isOn ? "on" : "off");
    this.refresh();
  }

  /** Fetch the current advice. Drop the answer if a later request has been made. */
  async refresh() {
    const number = (this.requests += 1);
    const advice = this.isOn ? await fetchAdvice() : {};
    if (number !== this.requests) return;
    this.advice = advice;
    this.changed();
  }
}

/** @param {{adviser: Adviser}} props */
export function AdviserSwitch({ adviser }) {
  return html`
    <label class="switch">
      <input id="adviser" type="checkbox" role="switch" checked=${adviser.isOn} onChange=${() => adviser.toggle()} />
      ${" "}${say("Trap adviser")}
    </label>`;
}

/** Fetch the advice by side. @returns {Promise<Record<string, Api.Advice>>} */
export async function fetchAdvice() {
  const { value, refusal } = await request("/api/advice");
  return refusal ? {} : value; // the page shows a lost connection elsewhere
}
