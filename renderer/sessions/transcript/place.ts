import type { VirtualItem } from '@tanstack/react-virtual';
import type { Seen } from './items.ts';

/** Reading position: an item, and the distance of its top below the view's top; null at the end. */
export interface Anchor {
  key: string;
  offset: number;
}

/** What is kept of a conversation that was looked at, so that it opens where it was left. */
export interface KeptPlace {
  openSteps: OpenSteps;
  anchor: Anchor | null;
  /** How far it was read when its end was last in sight; null if nothing of it was shown yet. */
  seen: Seen | null;
  heights: VirtualItem[];
}

const mostKept = 30;
const kept = new Map<string, KeptPlace>();

export function placeOf(sessionId: string): KeptPlace {
  const place = kept.get(sessionId) ?? { openSteps: new OpenSteps(), anchor: null, seen: null, heights: [] };
  kept.delete(sessionId);
  kept.set(sessionId, place);
  const [oldest] = kept.keys();
  if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
  return place;
}

/** Open steps of a conversation. Only the step that is opened or closed is drawn again. */
export class OpenSteps {
  readonly #open = new Set<string>();
  readonly #listeners = new Map<string, Set<() => void>>();

  has(key: string): boolean {
    return this.#open.has(key);
  }

  set(key: string, isOpen: boolean): void {
    if (isOpen === this.#open.has(key)) return;
    if (isOpen) this.#open.add(key);
    else this.#open.delete(key);
    for (const listener of this.#listeners.get(key) ?? []) listener();
  }

  listen(key: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(key) ?? new Set();
    this.#listeners.set(key, listeners);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#listeners.delete(key);
    };
  }
}
