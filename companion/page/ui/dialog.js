// @ts-check
/** Modal dialog. It is open while the component is rendered; `close` is called when the user closes it. */

import { say } from "../i18n/language.js";
import { html, useLayoutEffect, useRef } from "../vendor/preact.js";

/**
 * @param {{id: string, title: string, name?: string, close: () => void, head?: object, children?: object}} props
 *   `name`: CSS classes; `head`: further content of the header
 */
export function Dialog({ id, title, name = "", close, head, children }) {
  const element = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useLayoutEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return html`
    <dialog id=${id} class=${name} ref=${element} onClose=${close} aria-labelledby=${`${id}-title`}>
      <header>
        <h2 id=${`${id}-title`}>${title}</h2>
        <button class="plain close" type="button" onClick=${() => element.current?.close()}>${say("Close")}</button>
        ${head}
      </header>
      ${children}
    </dialog>`;
}

/** Join the names that are not empty or false to a `class` attribute. @param {unknown[]} names */
export function classes(...names) {
  return names.filter(Boolean).join(" ");
}
