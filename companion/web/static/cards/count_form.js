// @ts-check
/**
 * Counts that sides make themselves: who counts now, and the form by which a person counts or calls
 * muggins. It works as the side's buttons do: +1, +5, Enter.
 */

import { say, sayings } from "../i18n/language.js";
import { write } from "../ui/dom.js";
import { inOrder, lay } from "./cards.js";

/**
 * @typedef {{seat: number, team: number, why: "play" | "hand" | "crib"}} CountToMake
 * @typedef {CountToMake & {points: number, callers: number[], undecided: number[]}} OpenCount
 * @typedef {{to_count: CountToMake | null, open_count: OpenCount | null}} Counts
 * @typedef {import("../i18n/labels.js").Teams} Teams
 */

/** The greatest count. */
const LIMIT = 29;
/** @type {Record<string, string>} */
const OWN = sayings({ play: "Count your card", hand: "Count your hand", crib: "Count your crib" });
/** @type {Record<string, string>} */
const COUNTED = sayings({ play: "the card", hand: "the hand", crib: "the crib" });

/**
 * Return who is to count, or what was counted and who may call muggins; "" if nobody is awaited.
 *
 * @param {Counts | null} counts
 * @param {Teams} teams
 */
export function countWords(counts, teams) {
  const { to_count: next = null, open_count: open = null } = counts ?? {};
  if (next) return say("{name} is to count {what}", { name: teams[next.team].name, what: COUNTED[next.why] });
  if (!open?.undecided.length) return "";
  const names = open.undecided.map((team) => teams[team].name).join(", ");
  const counted = openWords(open, teams);
  return say("{counted}. {names}: call muggins with its points, or go on with Enter", { counted, names });
}

/**
 * @param {OpenCount} open
 * @param {Teams} teams
 */
function openWords({ why, team, points }, teams) {
  return say("{name} counts {n} for {what}", { name: teams[team].name, n: points, what: COUNTED[why] });
}

/**
 * Return the cards of a hand or crib that is counted; those of the play lie on the pile.
 *
 * @param {import("./demo.js").Cards | null} shown
 * @param {CountToMake | null} count
 * @returns {import("./cards.js").Held[]}
 */
function cardsOf(shown, count) {
  if (!shown || !count || count.why === "play") return [];
  if (count.why === "crib") return shown.crib.map((card) => ({ card, played: false }));
  return shown.hands.find(({ seat }) => seat === count.seat)?.cards ?? [];
}

export class CountForm {
  /**
   * @param {HTMLFormElement} form
   * @param {(points: number) => Promise<void>} send
   */
  constructor(form, send) {
    this.form = form;
    this.points = 0;
    /** What the points are for: they begin at 0 with each count. */
    this.key = "";
    this.calls = false;
    this.needed = false;
    for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (form.querySelectorAll("[data-add]"))) {
      button.addEventListener("click", () => this.set(this.points + Number(button.dataset.add)));
    }
    form.querySelector(".clear")?.addEventListener("click", () => this.set(0));
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const { points } = this;
      this.set(0);
      await send(points);
    });
  }

  /**
   * Show the form to a side that is to count or may call muggins.
   *
   * @param {Counts & {shown: import("./demo.js").Cards | null}} counts
   * @param {number} team the own side
   * @param {Teams} teams
   */
  show({ to_count: next, open_count: open, shown }, team, teams) {
    const own = next?.team === team;
    this.calls = !own && (open?.callers.includes(team) ?? false);
    this.needed = own || (this.calls && (open?.undecided.includes(team) ?? false));
    this.form.hidden = !own && !this.calls;
    const key = own ? "own" : `${open?.team} ${open?.why} ${open?.points}`;
    if (key !== this.key) this.points = 0;
    this.key = key;
    const words = own && next ? OWN[next.why] : this.calls && open ? openWords(open, teams) : "";
    write(this.form, ".counted", words);
    const place = /** @type {Element} */ (this.form.querySelector(".cards"));
    lay(place, inOrder(cardsOf(shown, own ? next : open)));
    this.set(this.points);
  }

  /** @param {number} points */
  set(points) {
    this.points = Math.min(points, LIMIT);
    write(this.form, "output", `${this.points}`);
    const n = this.points;
    const words = !this.calls ? say("Count {n}", { n }) : n ? say("Muggins: {n}", { n }) : say("Go on");
    write(this.form, ".go", words);
    /** @type {HTMLButtonElement} */ (this.form.querySelector(".go")).disabled = !n && !this.needed;
  }
}
