// @ts-check
/**
 * Labels of settings and their tables; a setting without one is labelled by its key.
 */

import { say, sayings } from "../i18n/language.js";
import { facts } from "../ui/about.js";

/** @type {Record<string, string>} */
export const TABLES = sayings({
  "": "The game",
  names: "What the sides are called",
  rules: "House rules",
  sheet: "The printed sheet",
  strip: "The strip",
  wiring: "Wiring",
  lights: "Light",
  panel: "Buttons",
  web: "The page",
  demo: "The demo",
  night: "Game night",
});

/** @type {Record<string, string>} */
const NAMES = sayings({
  "strip.budget_ma": "Supply, in milliamps",
  "strip.driver": "Driver",
  "strip.type": "Type of strip",
  "strip.order": "Order of colours",
  "strip.pins": "Data pins",
  "strip.white_balance": "White: parts of red, green and blue",
  "lights.night": "Hours of the night limit",
  teams: "Sides",
  preset: "Set of rules",
  "web.host": "Address",
  "web.hosts": "Further names",
  board: "Board",
  players: "Players",
  language: "Language",
  voice: "Voice",
  "rules.game_to": "Game to",
  "rules.finish": "Finish",
  "rules.skunk_at": "Skunk at",
  "rules.skunk": "Skunk line",
  "rules.double_skunk": "Double skunk line",
  "rules.muggins": "Muggins",
  "rules.muggins_counts": "Muggins counts",
  "rules.given_back": "Given back to",
  "rules.heels_ban": "Heels ban",
  "rules.starter": "Starter",
  "rules.penalty_to": "Penalty to",
  "rules.match_to": "Match to",
  "rules.first_dealer": "First dealer",
  "rules.occupant_advance": "Occupant advance",
  "rules.back_lands": "Back lands",
  "rules.award_lands": "Award lands",
  "sheet.finish": "Finish of the sheet",
  "sheet.title": "Title",
  "strip.baud": "Baud",
  "lights.brightness": "Brightness",
  "lights.calm": "Calm",
  "lights.dither": "Dither",
  "lights.night_limit": "Night limit",
  "lights.speed": "Speed",
  "lights.colours": "Colours",
  "panel.buttons": "Buttons",
  "panel.bounce_ms": "Bounce ms",
  "panel.hold_ms": "Hold ms",
  "panel.sleep_minutes": "Sleep minutes",
  "panel.pins": "Pins",
  "panel.places": "Places",
  "panel.actions": "Actions",
  "web.port": "Port",
  "night.broker": "Broker",
  "night.name": "Name of the night",
  "night.table": "Number of this table",
  "night.password": "Password of this table",
  "demo.idle_minutes": "Idle minutes",
  "demo.players": "Players",
  "demo.speed": "Speed",
  "demo.voice": "Voice",
});

/** Words for the values of settings. @type {Record<string, Record<string, string>>} */
export const VALUES = {
  board: sayings({ "crib-wars": "Crib Wars, the long track", classic: "Classic, 121 holes", "classic-61": "Classic, 61 holes" }),
  teams: sayings({ 2: "Two sides", 3: "Three sides" }),
  players: sayings({ 0: "One player a side", 4: "Four, two a side", 6: "Six, two a side" }),
  preset: sayings({
    "crib-wars": "Crib Wars: 363 holes with zones",
    "classic-121": "Classic: 121 holes, skunks below 91 and 61",
    "classic-61": "Classic, short: 61 holes, one skunk line",
    electronic: "Electronic: skunks by margin, match to 7",
    lurch: "Lurch: one skunk line, muggins",
    family: "Family: one skunk line, no muggins",
  }),
  "rules.finish": sayings({ overshoot: "May be too long", exact: "Exact" }),
  "rules.skunk_at": sayings({ 121: "At hole 121", finish: "At the finish", off: "Never" }),
  "rules.muggins": sayings({ off: "Off", alley: "In Muggers Alley", on: "Everywhere" }),
  "rules.muggins_counts": sayings({ missed: "Missed points", "missed-and-overcalled": "Missed and overcalled points" }),
  "rules.given_back": sayings({ side: "The side that erred", nobody: "Nobody" }),
  "rules.starter": sayings({ "after-discards": "After the discards", "before-discards": "Before the discards" }),
  "rules.penalty_to": sayings({ "every-other-side": "Every other side", opponents: "The opponents", nobody: "Nobody" }),
  "rules.first_dealer": sayings({ loser: "The loser's side", next: "The next seat" }),
  "rules.occupant_advance": sayings({ box: "In the box", track: "On the track" }),
  "sheet.finish": sayings({ night: "For lights behind film", day: "For paper" }),
  language: {}, // told by the table: each is a file there
  voice: sayings({ off: "Silent", short: "Landings and wins", full: "Every count" }),
  "demo.players": sayings({
    child: "Children", regular: "Regulars", shark: "Sharks",
    "shark,regular": "Shark and regular in turn", "shark,regular,child": "All three in turn",
  }),
  "strip.driver": sayings({
    virtual: "No lights: the board is drawn on the page",
    "rpi_ws281x:spi": "A strip on GPIO 10, Raspberry Pi up to 4",
    "rpi_ws281x:pwm": "A strip on GPIO 18, Raspberry Pi up to 4, as root",
    "pio:/dev/leds0": "A strip on a Raspberry Pi 5",
    "spi:apa102": "An APA102 strip with a clock wire, on GPIO 10 and 11",
    "spi:sk9822": "An SK9822 strip with a clock wire, on GPIO 10 and 11",
    "spi:hd108": "An HD108 strip with a clock wire, on GPIO 10 and 11",
    serial: "A strip behind a board at a USB port",
  }),
  "web.host": sayings({ "127.0.0.1": "This machine alone", "0.0.0.0": "Every phone in the house" }),
  "wiring.per": sayings({
    "hole-and-lane": "One light a hole in each lane",
    hole: "One light a hole, which the lanes share",
  }),
};

/** Name of the choice of another value than those with words. @type {Record<string, string>} */
export const OTHER = sayings({
  board: "A board file of your own",
  "strip.driver": "Something else",
  "web.host": "Another address",
});

/** Explanations of the house rules. @type {Record<string, string>} */
export const RULES = sayings({
  game_to: "Holes to the end of a game.",
  finish: "Whether the last count may be too long, or must be exact.",
  skunk_at: "Where skunks are measured: at hole 121, or at the finish.",
  skunk: "A loser this far behind gives away two games.",
  double_skunk: "A loser this far behind gives away four games.",
  muggins: "Whether sides may claim points that others have missed; alley: up to hole 121 alone.",
  muggins_counts: "What may be claimed: missed points, or points counted too many as well.",
  given_back: "Who pegs points of a call that the caller gives back.",
  heels_ban: "A dealer on one of this many last holes gets nothing for a jack turned up.",
  starter: "Whether the starter is cut after the cards for the crib are thrown, or before.",
  penalty_to: "Who pegs the points of a penalty.",
  match_to: "Games that win a match.",
  first_dealer: "Who deals first in the next game.",
  occupant_advance: "Where a boxed side moves on one hole when another lands in a box: in the box, or on the track.",
  back_lands: "Whether a peg that is sent back acts on the zone that it lands in.",
  award_lands: "Whether a peg that is given 20 acts on the zone that it lands in.",
});

/** @param {string} key */
export function nameOf(key) {
  const own = NAMES[key];
  if (own) return own;
  const name = key.slice(key.lastIndexOf(".") + 1).replaceAll("_", " ");
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** A button as `1.plus_one` in words. @param {string} button */
export function buttonName(button) {
  const { side, label: words } = facts.panel[button] ?? { side: 0, label: button };
  return side ? say("Side {side}, {words}", { side, words }) : words;
}

/** The outermost table of a key. @param {string} key */
export function tableOf(key) {
  if (key in TABLES) return key;
  return key.includes(".") ? key.slice(0, key.indexOf(".")) : "";
}
