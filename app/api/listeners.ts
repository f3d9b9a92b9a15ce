import type { AppEvent } from './events.ts';
import type { Exchange } from './exchange.ts';
import type { AppState } from './state.ts';

/** Those who are told of changes. While there are none, no state is put together. */
export class Listeners {
  readonly #state: () => AppState;
  readonly #ofAll = new Set<(event: AppEvent) => void>();
  readonly #ofExchanges = new Set<(exchange: Exchange) => void>();
  #stateDue = false;

  constructor(state: () => AppState) {
    this.#state = state;
  }

  get isHeard(): boolean {
    return this.#ofAll.size > 0;
  }

  listen(listener: (event: AppEvent) => void): () => void {
    this.#ofAll.add(listener);
    return () => this.#ofAll.delete(listener);
  }

  onExchange(listener: (exchange: Exchange) => void): () => void {
    this.#ofExchanges.add(listener);
    return () => this.#ofExchanges.delete(listener);
  }

  tell(event: AppEvent): void {
    for (const listener of this.#ofAll) listener(event);
  }

  exchangeChanged(exchange: Exchange): void {
    for (const listener of this.#ofExchanges) listener(exchange);
    if (this.#ofAll.size === 0) return;
    this.tell({ event: 'exchange', exchange });
    this.stateChanged();
  }

  /** Many changes of one turn are one event. */
  stateChanged(): void {
    if (this.#stateDue || this.#ofAll.size === 0) return;
    this.#stateDue = true;
    setImmediate(() => {
      this.#stateDue = false;
      if (this.#ofAll.size > 0) this.tell({ event: 'state', state: this.#state() });
    });
  }

  clear(): void {
    this.#ofAll.clear();
    this.#ofExchanges.clear();
  }
}
