// @ts-check
/**
 * The switch of the trap adviser, remembered by the browser. It is off by default, since some tables
 * call it cheating. While it is on, the advice is fetched with each news.
 */

import { recall, remember } from "../net/storage.js";

const STORED_AS = "adviser";

/** @typedef {import("./advice.js").Advice} Advice */

export class AdviceSwitch {
  /**
   * @param {HTMLInputElement} lever
   * @param {(advice: Record<string, Advice>) => void} show given nothing when it is switched off
   */
  constructor(lever, show) {
    this.lever = lever;
    this.show = show;
    this.asked = 0;
    lever.checked = recall(STORED_AS) === "on";
    lever.addEventListener("change", () => {
      remember(STORED_AS, lever.checked ? "on" : "off");
      this.refresh();
    });
  }

  /** Show the current advice; an answer overtaken by a later request is dropped. */
  async refresh() {
    const asked = (this.asked += 1);
    const advice = this.lever.checked ? await fetchAdvice() : {};
    if (asked === this.asked) this.show(advice);
  }
}

/** Fetch the advice by side. @returns {Promise<Record<string, Advice>>} */
export async function fetchAdvice() {
  try {
    const answer = await fetch("/api/advice");
    return answer.ok ? await answer.json() : {};
  } catch {
    return {}; // the page tells of a lost table elsewhere
  }
}
