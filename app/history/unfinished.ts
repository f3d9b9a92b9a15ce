import { type Exchange, exchangeSchema } from '../api/exchange.ts';
import type { Log } from '../ports.ts';
import type { Store } from './store.ts';

/**
 * The exchanges that are at Copilot. Each is on disk before it is sent, at once (measured: 0.012 ms), so that what
 * Copilot was asked is a row also where the process is killed: the next owner of the folder finds it here.
 */
export class Unfinished {
  readonly #store: Store;
  readonly #log: Log;
  /** Those of this process. */
  readonly #own = new Set<string>();

  constructor(store: Store, log: Log) {
    this.#store = store;
    this.#log = log;
  }

  /**
   * Before every try; one line each. While writing fails nothing is tried, so that no request waits for a broken disk.
   */
  add(exchange: Exchange): void {
    if (this.#own.has(exchange.id) || !this.#store.onDisk) return;
    this.#own.add(exchange.id);
    this.#store.runIfWell(addSql, exchange.id, JSON.stringify(exchange));
  }

  /** Its row is being written, in the same transaction. */
  remove(id: string): void {
    this.#store.prepare('DELETE FROM unfinished WHERE id = ?').run(id);
  }

  /** Its row is written. */
  forget(id: string): void {
    this.#own.delete(id);
  }

  /** What an owner before this process left, as it ended: with that owner, and at a cost that nobody knows. */
  left(): Exchange[] {
    const rows = this.#store.read(() => this.#store.prepare('SELECT id, exchange FROM unfinished').all(), []);
    const found: Exchange[] = [];
    for (const { id, exchange } of rows) {
      if (typeof id !== 'string' || this.#own.has(id)) continue;
      const parsed = exchangeSchema.safeParse(parse(exchange));
      if (parsed.success) found.push(ended(parsed.data));
      else {
        this.#log.write('warn', 'history-row-unreadable', { id });
        this.#store.change(() => this.remove(id));
      }
    }
    return found;
  }
}

const addSql = 'INSERT OR REPLACE INTO unfinished (id, exchange) VALUES (?, ?)';

function ended(exchange: Exchange): Exchange {
  return {
    ...exchange,
    held: false,
    outcome: 'cut',
    failure: {
      source: 'jumpseat',
      status: null,
      code: 'killed',
      message: 'Jumpseat was ended while this request was at Copilot.',
      told: null,
    },
    charge: { ...exchange.charge, kind: 'unknown', partial: true },
  };
}

function parse(value: unknown): unknown {
  try {
    return typeof value === 'string' ? JSON.parse(value) : null;
  } catch {
    return null;
  }
}
