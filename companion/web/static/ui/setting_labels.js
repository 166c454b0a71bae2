// @ts-check
/**
 * Labels of settings and their tables; a setting without one is labelled by its key.
 */

import { say, sayings } from "../i18n/language.js";

/** @type {Record<string, string>} */
export const TABLES = sayings({
  "": "The game",
  names: "What the sides are called",
  rules: "House rules",
  strip: "The strip",
  wiring: "Wiring",
  lights: "Light",
  panel: "Buttons",
  web: "The page",
  demo: "The demo",
});

/** @type {Record<string, string>} */
const NAMES = sayings({
  "strip.budget_ma": "Supply, in milliamps",
  "strip.driver": "Driver",
  "strip.type": "Type of strip",
  "strip.order": "Order of colours",
  "strip.pins": "Data pins",
  teams: "Sides",
  preset: "Set of rules",
  "web.host": "Address",
  "web.hosts": "Further names",
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
  const [side, action] = button.includes(".") ? button.split(".") : ["", button];
  const words = action.replaceAll("_", " ");
  return side ? say("Side {side}, {words}", { side, words }) : words.charAt(0).toUpperCase() + words.slice(1);
}

/** The outermost table of a key. @param {string} key */
export function tableOf(key) {
  if (key in TABLES) return key;
  return key.includes(".") ? key.slice(0, key.indexOf(".")) : "";
}
