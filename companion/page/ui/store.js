// @ts-check
/** Stores: objects that outlive the components that show them, and redraw those components after a change. */

import { useLayoutEffect, useReducer } from "../vendor/preact.js";

export class Store {
  constructor() {
    /** @type {Set<() => void>} */
    this.listeners = new Set();
  }

  /** Call a listener after each change. Return a function that unsubscribes it. @param {() => void} listener */
  subscribe(listener) {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  changed() {
    for (const listener of this.listeners) listener();
  }
}

/** Redraw the calling component whenever a store changes. @param {Store} store */
export function useStore(store) {
  const [, redraw] = useReducer((/** @type {number} */ changes) => changes + 1, 0);
  useLayoutEffect(() => store.subscribe(() => redraw(null)), [store]);
}
