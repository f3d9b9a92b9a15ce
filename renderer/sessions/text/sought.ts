import { createContext, useCallback, useContext, useSyncExternalStore } from 'react';

/** Words as they stand, whatever their case. Null: there are none. */
export function patternOf(words: string): RegExp | null {
  const trimmed = words.trim();
  return trimmed === '' ? null : new RegExp(trimmed.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'gi');
}

/** What is looked for in the words below, so that what hides it shows itself. */
export class Sought {
  #pattern: RegExp | null = null;
  readonly #listeners = new Set<() => void>();

  set(pattern: RegExp | null): void {
    if (pattern?.source === this.#pattern?.source) return;
    this.#pattern = pattern;
    for (const listener of this.#listeners) listener();
  }

  isIn(text: string): boolean {
    return this.#pattern !== null && text.search(this.#pattern) >= 0;
  }

  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

export const SoughtContext = createContext<Sought>(new Sought());

/** Whether words that are looked for stand in a text. */
export function useIsSought(text: string): boolean {
  const sought = useContext(SoughtContext);
  const listen = useCallback((listener: () => void) => sought.listen(listener), [sought]);
  return useSyncExternalStore(listen, () => sought.isIn(text));
}
