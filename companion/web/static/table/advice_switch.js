// @ts-check
/**
 * The switch of the trap adviser, remembered by the browser. It is off by default, since some tables
 * call it cheating. While it is on, the advice is fetched with each news.
 */

const KEPT_AS = "adviser";

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
    lever.checked = kept();
    lever.addEventListener("change", () => {
      keep(lever.checked);
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

/** Return true if it was on; a browser may store nothing. */
function kept() {
  try {
    return localStorage.getItem(KEPT_AS) === "on";
  } catch {
    return false;
  }
}

/** @param {boolean} on */
function keep(on) {
  try {
    localStorage.setItem(KEPT_AS, on ? "on" : "off");
  } catch {
    // Then it is off again next time.
  }
}
