import type { Exchange } from '../../../app/api/exchange.ts';

const recentLimit = 500;

/** Whole exchanges of the last time, for the detail. The oldest give way. */
export class RecentExchanges {
  readonly #recent = new Map<string, Exchange>();

  of(id: string): Exchange | null {
    return this.#recent.get(id) ?? null;
  }

  add(exchange: Exchange): void {
    this.#recent.delete(exchange.id);
    this.#recent.set(exchange.id, exchange);
    if (this.#recent.size <= recentLimit) return;
    const oldest = this.#recent.keys().next().value;
    if (oldest !== undefined) this.#recent.delete(oldest);
  }

  forgetEnded(): void {
    for (const { id, outcome } of [...this.#recent.values()]) if (outcome !== 'running') this.#recent.delete(id);
  }
}
