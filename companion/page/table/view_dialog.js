// @ts-check
/**
 * Dialog for the settings of this device: language, theme, sound, and shortcuts of a single key. It also lists
 * all shortcuts. It opens by its button and by "?".
 */

import { say } from "../i18n/language.js";
import { recall, remember } from "../net/storage.js";
import { soundLevel } from "../sound/sound.js";
import { Dialog } from "../ui/dialog.js";
import { LanguageChoice, Select, Switch } from "../ui/forms.js";
import { singleKeysOn, switchSingleKeys } from "../ui/shortcuts.js";
import { html } from "../vendor/preact.js";
import { AdviserSwitch } from "./adviser.js";
import { ruleCodesOn, showRuleCodes } from "./event_log.js";

/** Storage key that `ui/theme.js` reads. */
const THEME = "theme";

/**
 * @param {{about: Api.About, sound: import("../sound/sound.js").Sound, adviser: import("./adviser.js").Adviser,
 *   close: () => void}} props
 */
export function View({ about, sound, adviser, close }) {
  return html`
    <${Dialog} id="view" name="short" title=${say("View")} close=${close}>
      <${LanguageChoice} about=${about} />
      <div class="inside"><${AdviserSwitch} adviser=${adviser} /><${Choices} sound=${sound} /></div>
      <p><a class="plain" href="/lights-and-buttons.svg">${say("Lights and buttons")}</a></p>
    <//>`;
}

/** @param {{sound: import("../sound/sound.js").Sound}} props */
function Choices({ sound }) {
  return html`
    <${Select} name="switch" label=${say("Theme")} value=${recall(THEME) ?? ""} set=${chooseTheme}
      options=${[["", say("As the device")], ["light", say("Light theme")], ["dark", say("Dark theme")]]} />
    <${Select} name="switch" label=${say("Sound and speech")} value=${soundLevel()} set=${(/** @type {any} */ level) => sound.choose(level)}
      options=${[["off", say("off")], ["short", say("short: slides, traps, boxes, wins")], ["full", say("full: everything that happens")]]} />
    <${Switch} words=${say("Shortcuts of a single key")} on=${singleKeysOn()} set=${switchSingleKeys} />
    <${Switch} words=${say("Numbers of the rules in the log")} on=${ruleCodesOn()} set=${showRuleCodes} />
    <h3>${say("Keys")}</h3>
    <dl class="shortcuts">
      ${shortcuts().map(([key, name]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${name}</dd></div>`)}
    </dl>`;
}

/** Return the shortcuts of this page, each with the name of its button. */
function shortcuts() {
  const bound = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("main [aria-keyshortcuts]"));
  const pairs = [...bound].map((element) => {
    const key = element.getAttribute("aria-keyshortcuts") ?? "";
    return [key === "Space" ? say("Space") : key, element.getAttribute("aria-label") ?? element.textContent];
  });
  return [...pairs, ["← → ↑ ↓", say("moves the zoomed board")]];
}

/** @param {string} theme */
function chooseTheme(theme) {
  remember(THEME, theme);
  dispatchEvent(new Event("theme"));
}
