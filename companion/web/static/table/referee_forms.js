// @ts-check
/**
 * Forms of the referee: those that each ruling allows, as data.
 */

import { choice, number } from "../ui/forms.js";
import { say } from "../i18n/language.js";

/** @typedef {import("../ui/forms.js").Option} Option */
/**
 * @typedef {{rule: string, what: string, follows: string, words: string, points: boolean,
 *   claim: boolean}} Ruling
 * @typedef {{penalty_to: string, takers: number[], erring: number[], overcalled: boolean,
 *   last_count: number | null, claims: boolean}} Grants what the rules in force grant now
 * @typedef {{opens: string, does: string, fields: HTMLElement[],
 *   command: (data: FormData) => object, ask?: (data: FormData) => string}} Action
 */

/** Called at the table more often than anything goes wrong, so it stands first. @returns {Ruling} */
export function mugginsRuling() {
  return {
    rule: "M1",
    what: say("Muggins: somebody missed points, or counted too many."),
    follows: say("Who first calls it takes the difference; who counted too many goes back by it. The " +
      "caller may give the points back at once."),
    words: say("wrong count miscount missed overlooked too many cheat"),
    points: false,
    claim: false,
  };
}

/** @param {FormData} data @param {string} name */
const whole = (data, name) => Number(data.get(name));

/**
 * @param {Ruling} ruling
 * @param {Option[]} sides
 * @param {Grants} grants
 * @returns {Action[]}
 */
export function actions({ rule, points, claim }, sides, grants) {
  const offered = [];
  const takers = of(sides, grants.takers);
  if (rule === "M1") offered.push(muggins(of(sides, grants.erring), takers, grants.overcalled));
  if (rule === "N11" && grants.last_count) offered.push(overpeg(of(sides, [grants.last_count]), takers));
  const taken = points && grants.penalty_to !== "nobody" && takers.length;
  if (taken) offered.push(penalty(rule, sides, takers, grants.penalty_to === "opponents"));
  if (claim && grants.claims) offered.push(claimed(rule, sides));
  return offered;
}

/**
 * @param {Option[]} sides
 * @param {number[]} teams
 */
const of = (sides, teams) => sides.filter(({ value }) => teams.includes(Number(value)));

/**
 * @param {string} rule
 * @param {Option[]} sides
 * @param {Option[]} takers sides that may take points
 * @param {boolean} all true if none of them may decline
 * @returns {Action}
 */
function penalty(rule, sides, takers, all) {
  const legend = say("Who takes two?");
  const declining = choice({ name: "taken", legend, options: takers, many: true, other: "by" });
  const others = (/** @type {number} */ by) => takers.map(({ value }) => Number(value)).filter((team) => team !== by);
  return {
    opens: say("Give two points"),
    does: say("Give"),
    fields: [choice({ name: "by", legend: say("Who did it?"), options: sides }), ...(all ? [] : [declining])],
    command: (data) => {
      const by = whole(data, "by");
      return { penalty: { rule, by, taken: all ? others(by) : data.getAll("taken").map(Number) } };
    },
  };
}

/**
 * @param {string} rule
 * @param {Option[]} sides
 * @returns {Action}
 */
function claimed(rule, sides) {
  const name = (/** @type {FormData} */ data) =>
    sides.find(({ value }) => value === data.get("game_to"))?.label;
  return {
    opens: say("Claim the game"),
    does: say("Claim the game"),
    fields: [
      choice({ name: "by", legend: say("Who did it?"), options: sides }),
      choice({ name: "game_to", legend: say("Who gets the game?"), options: sides, other: "by" }),
    ],
    command: (data) => ({
      claim: { rule, by: whole(data, "by"), game_to: whole(data, "game_to") },
    }),
    ask: (data) => say("The game ends, and {name} has won it.", { name: name(data) }),
  };
}

/**
 * @param {Option[]} counted the side that counted last
 * @param {Option[]} others sides that may take points
 * @returns {Action}
 */
function overpeg(counted, others) {
  const takers = [...others, { value: "", label: say("Nobody") }];
  return {
    opens: say("Put the count right"),
    does: say("Put it right"),
    fields: [
      choice({ name: "team", legend: say("Who pegged too many?"), options: counted }),
      number("extra", say("How many too many?")),
      choice({ name: "taken_by", legend: say("Who takes them?"), options: takers, other: "team" }),
    ],
    command: (data) => ({
      overpeg: {
        team: whole(data, "team"),
        extra: whole(data, "extra"),
        ...(data.get("taken_by") && { taken_by: whole(data, "taken_by") }),
      },
    }),
  };
}

/**
 * @param {Option[]} erring sides on whose counts it may be called
 * @param {Option[]} takers sides that may take points
 * @param {boolean} overcalled true if it may be called on counts of too many
 * @returns {Action}
 */
function muggins(erring, takers, overcalled) {
  const missed = { missed: say("Missed") };
  const kinds = overcalled ? { ...missed, overcalled: say("Counted too many") } : missed;
  return {
    opens: say("Call muggins"),
    does: say("Call it"),
    fields: [
      choice({ name: "from", legend: say("Who erred?"), options: erring }),
      choice({ name: "by", legend: say("Who called it?"), options: takers, other: "from" }),
      number("points", say("Points")),
      either("where", say("Where?"), { show: say("In the show"), play: say("In the play") }),
      either("kind", say("How?"), kinds),
      either("given", say("The points are"), { kept: say("Kept"), back: say("Given back") }),
    ],
    command: (data) => ({
      muggins: {
        from: whole(data, "from"),
        by: whole(data, "by"),
        points: whole(data, "points"),
        where: data.get("where"),
        kind: data.get("kind"),
        given_back: data.get("given") === "back",
      },
    }),
  };
}

/**
 * One of two, of which the first is chosen until told otherwise.
 *
 * @param {string} name
 * @param {string} legend
 * @param {Record<string, string>} labels
 */
function either(name, legend, labels) {
  const options = Object.entries(labels).map(([value, label]) => ({ value, label }));
  return choice({ name, legend, options, first: options[0].value });
}
