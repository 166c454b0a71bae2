// @ts-check
/** The board's network. The user chooses the home network; the page loses the board until it is found there. */

import { fill, say, sayings } from "../i18n/language.js";
import { TIMEOUT_MS, pause, request } from "../net/request.js";
import { facts, fetchAbout } from "../ui/about.js";
import { TextField } from "../ui/forms.js";
import { html, useEffect, useState } from "../vendor/preact.js";
import { CardChoice } from "./controls.js";

const RETRY_MS = 2000;
const FAILURES = sayings({
  "wrong-password": "The board could not join {name}: the password is wrong.",
  "not-found": "The board could not join {name}: no network with this name is in reach.",
  "no-address": "The board could not join {name}: this network gave it no address.",
  "timed-out": "The board could not join {name}: it took too long. Try again.",
  other: "The board could not join {name}: the log of the board has the reason.",
});
/** Lights of the board while it joins a network, see docs/setting-up.md. */
const LIGHTS = sayings({
  joins: "Holes 36 to 40 blink: it is joining.",
  joined: "One hole is lit, or several to add up: it has joined. They are the last number of its address.",
  password: "Hole 36 blinks: the password is wrong.",
  found: "Holes 36 and 37 blink: no network with this name is in reach.",
  address: "Holes 36 to 38 blink: the network gave no address.",
});

/** @param {{first: Api.NetworkResponse}} props `first`: the network as the page was opened */
export function Network({ first }) {
  const [told, setTold] = useState(first);
  const [refusal, setRefusal] = useState("");
  const isJoining = told.stage === "joining";
  const join = async (/** @type {string} */ name, /** @type {string} */ password) => {
    const answer = await request("/api/network", { name, password });
    setRefusal(answer.status ? answer.refusal : "");
    // Without an answer the network may be gone already, because the board joins.
    if (!answer.refusal || !answer.status) setTold({ ...told, stage: "joining", asked: name, failure: null });
  };
  useEffect(() => {
    let isCurrent = true;
    const follow = async () => {
      while (isCurrent) {
        await pause(RETRY_MS);
        const { value } = await request("/api/network", undefined, { signal: AbortSignal.timeout(TIMEOUT_MS) });
        if (value && value.stage !== "joining") {
          await fetchAbout();
          return void (isCurrent && setTold(value));
        }
      }
    };
    if (isJoining) follow();
    return () => void (isCurrent = false);
  }, [isJoining]);
  return html`
    <div class="network">
      <p class="seen" role="status">${isJoining ? say("The board is joining {name}.", { name: told.asked }) : stageWords(told)}</p>
      <p class="fault" role="alert">${told.failure ? fill(FAILURES[told.failure], { name: told.asked }) : refusal}</p>
      ${isJoining ? html`<${Joining} told=${told} />` : html`
        <ul class="lines">${told.stage === "joined" && facts.pages.map((each) => html`<li>${each}</li>`)}</ul>
        ${told.fault ? html`<p class="fault">${told.fault}</p>` : html`<${Choice} told=${told} join=${join} />`}`}
    </div>`;
}

/** @param {Api.NetworkResponse} told */
function stageWords({ stage, hotspot, networks }) {
  if (stage === "hotspot") return say("The board is in no network. It has opened its own, {name}.", { name: hotspot });
  if (stage !== "joined") return say("The board is in no network.");
  const joined = networks.find(({ is_joined: is }) => is);
  return joined ? say("The board is in the network {name}.", { name: joined.name }) : say("The board is in a network.");
}

/** What happens while the board joins. @param {{told: Api.NetworkResponse}} props */
function Joining({ told: { asked, hotspot } }) {
  // A name such as crib.local is the same in each network.
  const address = facts.pages.find((each) => new URL(each).hostname.endsWith(".local")) ?? say("its address there");
  return html`
    <p>${say("This page loses the board now. Look at its lights:")}</p>
    <ul class="lines">${Object.values(LIGHTS).map((words) => html`<li>${words}</li>`)}</ul>
    <p>${say("If it has joined, put this phone into {name} too, and open {address}.", { name: asked, address })}</p>
    <p>${say("If not, put this phone into {name} again: this page then says why.", { name: hotspot })}</p>`;
}

/** @param {{told: Api.NetworkResponse, join: (name: string, password: string) => Promise<void>}} props */
function Choice({ told: { networks, asked, failure }, join }) {
  const names = networks.map(({ name }) => name);
  const [chosen, choose] = useState(failure && names.includes(asked) ? asked : names[0] ?? "");
  const [typed, setTyped] = useState("");
  const [password, setPassword] = useState("");
  const isOpen = networks.find(({ name }) => name === chosen)?.security === "open";
  const options = [...names.map((name) => [name, name]), ["", say("Another network")]];
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    join(chosen || typed, isOpen ? "" : password);
  };
  const literal = { type: "text", autocapitalize: "none", autocorrect: "off", spellcheck: false };
  return html`
    <form class="network-choice" onSubmit=${submit}>
      <${CardChoice} name="network" legend=${say("Which network should the board join?")} ...${{ options, choose }} value=${chosen} />
      ${!chosen && html`<${TextField} label=${say("Name of the network")} value=${typed} set=${setTyped} required maxlength="32" ...${literal} />`}
      ${!isOpen && html`<${TextField} label=${say("Its password")} value=${password} set=${setPassword} minlength="8" maxlength="63" required=${Boolean(chosen)} ...${literal} />`}
      <button class="plain go" type="submit">${say("Join")}</button>
    </form>`;
}
