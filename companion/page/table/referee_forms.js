// @ts-check
/** Forms of the referee as data: each ruling has a list of the actions that it allows. */

import { isCount } from "../ui/forms.js";
import { say } from "../i18n/language.js";

/** @typedef {import("../ui/forms.js").Option} Option */
/**
 * @typedef {Record<string, boolean>} Choices for each side that a computer plays: true if the computer takes the points
 *
 * Field of a form. The user chooses an option, or several with `many`; without options the field is a number of
 * points. `first`: option chosen at first; `other`: earlier field: this one is shown once a side is chosen there, and
 * does not offer that side; `takers`: true if the options are sides that take points.
 *
 * @typedef {{name: string, legend: string, options?: Option[], many?: boolean, first?: string, other?: string,
 *   takers?: boolean}} Field
 * @typedef {Record<string, any>} Values by field: null if nothing is chosen, a list with `many`
 * @typedef {{opens: string, does: string, fields: Field[], command: (values: Values) => Api.RefereeCommand,
 *   question?: (values: Values) => string}} Action `question`: returns a question that the user must confirm
 */

/** Return the ruling on muggins. It is needed more often than the others, so it comes first. @returns {Api.Ruling} */
export function mugginsRuling() {
  return {
    rule: "M1",
    what: say("Muggins: somebody missed points, or counted too many."),
    follows: say("The side that first calls it takes the difference; a side that counted too many goes back " +
      "by it. The caller may give the points back at once."),
    words: say("wrong count score miscount missed forgot forgotten overlooked too many cheat"),
    points: false,
    claim: false,
    sources: [],
  };
}

/**
 * Return the visible fields with their remaining options, and the current values of the form.
 *
 * @param {Field[]} all
 * @param {Values} entered by the user
 */
export function valuesOf(all, entered) {
  /** @type {Values} */
  const values = {};
  const shown = all.flatMap((field) => {
    if (field.other && !values[field.other]) return [];
    const options = field.options?.filter(({ value }) => !field.other || value !== values[field.other]);
    values[field.name] = valueOf({ ...field, options }, entered[field.name]);
    return [{ ...field, options }];
  });
  const isComplete = shown.length === all.length
    && shown.every(({ name, options }) => (options ? values[name] !== null : isCount(values[name])));
  return { fields: shown, values, isComplete };
}

/**
 * Return the value of a field. At first a single option is chosen, and with `many` every option.
 *
 * @param {Field} field
 * @param {any} entered
 */
function valueOf({ options, many, first }, entered) {
  if (!options) return entered ?? "";
  const offered = options.map(({ value }) => value);
  if (many) return offered.filter((value) => entered?.includes(value) ?? true);
  if (offered.includes(entered)) return entered;
  return first ?? (offered.length === 1 ? offered[0] : null);
}

/**
 * Return the value of a field with `takers`. Computers choose for their own sides, whatever the user entered.
 *
 * @param {string | string[] | null} entered
 * @param {Choices} choices
 */
export function chosen(entered, choices) {
  const takers = Object.keys(choices).filter((side) => choices[side]);
  if (Array.isArray(entered)) return [...entered.filter((side) => !(side in choices)), ...takers];
  return takers[0] ?? (entered !== null && entered in choices ? "" : entered);
}

/**
 * @param {Api.Ruling} ruling
 * @param {Option[]} sides
 * @param {Api.Grants} grants
 * @param {number[]} computers the sides that computers play
 * @returns {Action[]}
 */
export function actions({ rule, points, claim }, sides, grants, computers) {
  const offered = [];
  const takers = of(sides, grants.takers);
  if (rule === "M1") offered.push(muggins(of(sides, grants.erring), takers, grants.overcalled));
  if (rule === "N11" && grants.last_count) offered.push(overpeg(of(sides, [grants.last_count]), takers, computers));
  const taken = points && grants.penalty_to !== "nobody" && takers.length;
  if (taken) offered.push(penalty(rule, sides, takers, grants.penalty_to === "opponents"));
  if (claim && grants.claims) offered.push(claimed(rule, sides));
  return offered;
}

/** @param {Option[]} sides @param {number[]} numbers */
const of = (sides, numbers) => sides.filter(({ value }) => numbers.includes(Number(value)));

/**
 * @param {string} rule
 * @param {Option[]} sides
 * @param {Option[]} takers sides that may take points
 * @param {boolean} all true if none of them may decline
 * @returns {Action}
 */
function penalty(rule, sides, takers, all) {
  const legend = say("Who takes two?");
  /** @type {Field} */
  const declining = { name: "taken", legend, options: takers, many: true, other: "by", takers: true };
  const others = (/** @type {number} */ by) => takers.map(({ value }) => Number(value)).filter((side) => side !== by);
  return {
    opens: say("Give two points"),
    does: say("Give"),
    fields: [{ name: "by", legend: say("Who did it?"), options: sides }, ...(all ? [] : [declining])],
    command: (values) => {
      const by = Number(values.by);
      return { penalty: { rule, by, taken: all ? others(by) : values.taken.map(Number) } };
    },
  };
}

/**
 * @param {string} rule
 * @param {Option[]} sides
 * @returns {Action}
 */
function claimed(rule, sides) {
  const name = (/** @type {Values} */ values) => sides.find(({ value }) => value === values.game_to)?.label;
  return {
    opens: say("Claim the game"),
    does: say("Claim the game"),
    fields: [
      { name: "by", legend: say("Who did it?"), options: sides },
      { name: "game_to", legend: say("Who gets the game?"), options: sides, other: "by" },
    ],
    command: (values) => ({
      claim: { rule, by: Number(values.by), game_to: Number(values.game_to) },
    }),
    question: (values) => say("The game ends, and {name} has won it.", { name: name(values) }),
  };
}

/**
 * @param {Option[]} counted the side that counted last
 * @param {Option[]} others sides that may take points
 * @param {number[]} computers the sides that computers play
 * @returns {Action}
 */
function overpeg(counted, others, computers) {
  const takers = [...others, { value: "", label: say("Nobody") }];
  const people = others.filter(({ value }) => value !== counted[0].value && !computers.includes(Number(value)));
  const first = people.length ? undefined : "";
  return {
    opens: say("Put the count right"),
    does: say("Put it right"),
    fields: [
      { name: "side", legend: say("Who pegged too many?"), options: counted },
      { name: "extra", legend: say("How many too many?") },
      { name: "taken_by", legend: say("Who takes them?"), options: takers, other: "side", first, takers: true },
    ],
    command: (values) => ({
      overpeg: {
        team: Number(values.side),
        extra: Number(values.extra),
        ...(values.taken_by && { taken_by: Number(values.taken_by) }),
      },
    }),
  };
}

/**
 * @param {Option[]} erring sides against which muggins can be called
 * @param {Option[]} takers sides that may take points
 * @param {boolean} overcalled true if muggins can be called on a count that was too high
 * @returns {Action}
 */
function muggins(erring, takers, overcalled) {
  const kinds = { missed: say("Missed"), overcalled: say("Counted too many") };
  return {
    opens: say("Call muggins"),
    does: say("Call it"),
    fields: [
      { name: "from", legend: say("Who erred?"), options: erring },
      { name: "by", legend: say("Who called it?"), options: takers, other: "from" },
      { name: "points", legend: say("Points") },
      either("where", say("Where?"), { show: say("In the show"), play: say("In the play") }),
      ...(overcalled ? [either("kind", say("How?"), kinds)] : []),
      either("given", say("The points are"), { kept: say("Kept"), back: say("Given back") }),
    ],
    command: (values) => ({
      muggins: {
        from: Number(values.from),
        by: Number(values.by),
        points: Number(values.points),
        where: values.where,
        kind: values.kind ?? "missed",
        given_back: values.given === "back",
      },
    }),
  };
}

/**
 * Return a field whose first option is chosen at first.
 *
 * @param {string} name
 * @param {string} legend
 * @param {Record<string, string>} labels
 */
function either(name, legend, labels) {
  const options = Object.entries(labels).map(([value, label]) => ({ value, label }));
  return { name, legend, options, first: options[0].value };
}
