// @ts-check
/**
 * Link from the live board to the set-up, shown to phones that may run the table.
 */

import { fetchAbout, readAbout } from "../ui/about.js";

const { right, first_run } = readAbout(await fetchAbout());
const link = document.getElementById("set-up");
const first = document.getElementById("first-run");
if (link) link.hidden = right !== "run";
if (first) first.hidden = !(right === "run" && first_run);
