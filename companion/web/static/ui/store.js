// @ts-check
/** Stores: objects that outlive what shows them, and redraw it when they change. */

import { useLayoutEffect, useReducer } from "../vendor/preact.js";

export class Store {
  constructor() {
    /** @type {Set<() => void>} */
    this.listeners = new Set();
  }

  /**
   * Call a listener after each change. Return the way to unsubscribe.
   *
   * @param {() => void} listener
   */
  subscribe(listener) {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** Tell the listeners. */
  changed() {
    for (const listener of this.listeners) listener();
  }
}

/** Redraw the component that calls this whenever a store changes. @param {Store} store */
export function useStore(store) {
  const [, redraw] = useReducer((/** @type {number} */ changes) => changes + 1, 0);
  useLayoutEffect(() => store.subscribe(() => redraw(null)), [store]);
}
