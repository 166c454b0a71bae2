// @ts-check
/**
 * Links from the live board to the set-up for phones that may run the table, and a notice to all if
 * its last settings failed.
 */

import { fetchAbout, readAbout } from "../ui/about.js";

const { right, first_run, reverted } = readAbout(await fetchAbout());
const link = document.getElementById("set-up");
const first = document.getElementById("first-run");
const notice = document.getElementById("reverted");
if (link) link.hidden = right !== "run";
if (first) first.hidden = !(right === "run" && first_run);
if (notice) notice.hidden = !reverted;
