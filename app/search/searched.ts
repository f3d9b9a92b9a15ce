import type { SearchOutcome, SearchRecord } from '../api/search.ts';

/** So many are held; each is some kilobytes. */
const mostHeld = 200;

/** What was searched for, by the exchanges that it belongs to: in memory alone, for the detail of a row. */
export class Searched {
  readonly #held = new Map<string, SearchRecord>();

  keep(query: string, outcome: SearchOutcome, exchange: string | null): void {
    const own = outcome.kind === 'found' ? outcome.cost.exchange : null;
    for (const id of [exchange, own]) {
      if (id === null) continue;
      this.#held.delete(id);
      this.#held.set(id, { query, outcome });
    }
    while (this.#held.size > mostHeld) {
      const oldest = this.#held.keys().next();
      if (oldest.done) return;
      this.#held.delete(oldest.value);
    }
  }

  of(exchange: string): SearchRecord | null {
    return this.#held.get(exchange) ?? null;
  }

  forget(): void {
    this.#held.clear();
  }
}
