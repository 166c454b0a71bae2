// @ts-check
/**
 * French: every phrase of the pages, by the English one that stands in the modules and documents.
 *
 * Nobody knows the gender of a side's name, so that nothing agrees with it or is elided before it.
 */

import cards from "./words-fr-cards.js";
import game from "./words-fr-game.js";
import records from "./words-fr-records.js";
import setup from "./words-fr-setup.js";
import table from "./words-fr-table.js";

/** @type {Record<string, string>} */
export default { ...cards, ...game, ...records, ...setup, ...table };
