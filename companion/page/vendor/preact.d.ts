/** What pages use of Preact and htm, with the types that matter here. */

export type Drawn = object | string | number | null | undefined | false | Drawn[];
/** Draw markup: `<${Component} name=${value} />`, `<p class="name">${text}</p>`. Text is never markup. */
export function html(markup: TemplateStringsArray, ...values: unknown[]): object;
export function render(drawn: Drawn, place: Element): void;

export function useState<Value>(
  first: Value | (() => Value),
): [Value, (next: Value | ((now: Value) => Value)) => void];
export function useReducer<Value, Action>(
  next: (value: Value, action: Action) => Value,
  first: Value,
): [Value, (action: Action) => void];
export function useRef<Value>(first: Value): { current: Value };
export function useMemo<Value>(make: () => Value, when: unknown[]): Value;
type Effect = () => void | (() => void);
/** Run after the page is drawn, when a value of the list has changed; what it returns ends it. */
export function useEffect(run: Effect, when?: unknown[]): void;
/** Run before the page is seen. */
export function useLayoutEffect(run: Effect, when?: unknown[]): void;
