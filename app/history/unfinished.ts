import { type Exchange, exchangeSchema } from '../api/exchange.ts';
import { t } from '../language/translate.ts';
import type { Log } from '../ports.ts';
import type { JournalEntry } from './journal.ts';
import type { Store, Writer } from './store.ts';

/**
 * The exchanges that are at Copilot. Each is on disk before it is sent, at once, so that what Copilot was asked is a
 * row also where the process is killed: the next owner of the folder finds it here. It is a line of the journal
 * (measured: 0.02 ms), and comes into the table when that is written before the answer has ended.
 */
export class Unfinished implements Writer {
  readonly #store: Store;
  readonly #log: Log;
  /** Exchanges of this process, and whether the table may have them. */
  readonly #own = new Map<string, boolean>();
  /** Running exchanges that only the journal has. */
  readonly #unwritten = new Map<string, Exchange>();

  constructor(store: Store, log: Log) {
    this.#store = store;
    this.#log = log;
    store.join(this);
  }

  /**
   * Before every try; one line each. While writing fails nothing is tried, so that no request waits for a broken disk.
   */
  add(exchange: Exchange): void {
    const { id } = exchange;
    if (this.#own.has(id) || !this.#store.onDisk) return;
    const isGathered = this.#store.gatherNow(this, { sent: exchange });
    this.#own.set(id, !isGathered);
    if (isGathered) this.#unwritten.set(id, exchange);
    else this.#store.runIfWell(addSql, id, JSON.stringify(exchange));
  }

  /** Called when it has ended and its row is queued. */
  ended(id: string): void {
    this.#unwritten.delete(id);
  }

  /** Its row is being written, in the same transaction. */
  remove(id: string): void {
    if (this.#own.get(id) !== false) this.#store.prepare('DELETE FROM unfinished WHERE id = ?').run(id);
  }

  /** Its row is written. */
  forget(id: string): void {
    this.#own.delete(id);
  }

  write(): void {
    for (const [id, exchange] of this.#unwritten) this.#store.prepare(addSql).run(id, JSON.stringify(exchange));
  }

  written(): void {
    for (const id of this.#unwritten.keys()) this.#own.set(id, true);
    this.#unwritten.clear();
  }

  renewed(): void {}
  reopened(): void {}

  /**
   * What an owner before this process left that was killed, in its journal and in the table, as it ended: with that
   * owner, and at an unknown cost.
   */
  left(journal: readonly JournalEntry[]): Exchange[] {
    const found = new Map<string, Exchange>();
    for (const entry of journal) {
      if (!('sent' in entry)) continue;
      const read = readExchange(entry.sent);
      if (read !== null) found.set(read.id, read);
      else this.#log.write('warn', 'history-row-unreadable', { id: null });
    }
    const rows = this.#store.read(() => this.#store.prepare('SELECT id, exchange FROM unfinished').all(), []);
    for (const { id, exchange } of rows) {
      if (typeof id !== 'string' || this.#own.has(id)) continue;
      const read = readExchange(parse(exchange));
      if (read !== null) found.set(id, read);
      else {
        this.#log.write('warn', 'history-row-unreadable', { id });
        this.#store.change(() => this.remove(id));
      }
    }
    return [...found.values()].map(ended);
  }
}

const addSql = 'INSERT OR REPLACE INTO unfinished (id, exchange) VALUES (?, ?)';

function readExchange(value: unknown): Exchange | null {
  const parsed = exchangeSchema.safeParse(value);
  return parsed.success ? parsed.data : null;
}

function ended(exchange: Exchange): Exchange {
  return {
    ...exchange,
    held: false,
    outcome: 'cut',
    failure: {
      source: 'jumpseat',
      status: null,
      code: 'killed',
      message: t('Jumpseat was ended while this request was at Copilot.'),
      clientMessage: null,
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
