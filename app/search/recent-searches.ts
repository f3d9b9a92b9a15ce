import type { SearchOutcome, SearchRecord } from '../api/search.ts';

/** Searches that are held, of all exchanges together; each takes some kilobytes. */
const mostHeld = 200;
/** A model may search again and again for one answer: the last ones stay. */
const mostOfOne = 20;

/** What was searched for, by the exchanges that it belongs to: in memory alone, for the detail of a row. */
export class RecentSearches {
  readonly #held = new Map<string, readonly SearchRecord[]>();
  #count = 0;

  keep(query: string, outcome: SearchOutcome, exchange: string | null): void {
    const own = outcome.kind === 'found' ? outcome.cost.exchange : null;
    for (const id of [exchange, own]) {
      if (id === null) continue;
      const before = this.#drop(id);
      const now = [...before, { query, outcome }].slice(-mostOfOne);
      this.#held.set(id, now);
      this.#count += now.length;
    }
    for (const oldest of this.#held.keys()) {
      if (this.#count <= mostHeld) return;
      this.#drop(oldest);
    }
  }

  /** Searches in the order in which they were made. */
  of(exchange: string): SearchRecord[] {
    return [...(this.#held.get(exchange) ?? [])];
  }

  forget(): void {
    this.#held.clear();
    this.#count = 0;
  }

  #drop(exchange: string): readonly SearchRecord[] {
    const held = this.#held.get(exchange) ?? [];
    this.#held.delete(exchange);
    this.#count -= held.length;
    return held;
  }
}
