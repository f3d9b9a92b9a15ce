import { type Exchange, exchangeSchema } from '../api/exchange.ts';
import { reasonOf, saysBadRow } from '../database/sqlite-error.ts';
import { t } from '../language/translate.ts';
import type { Log } from '../ports.ts';
import type { JournalEntry } from './journal.ts';
import { Words } from './packing.ts';
import { columns, fromRow, toRow } from './row.ts';
import type { Store, Writer } from './store.ts';

/** Exchanges that wait for a database that cannot be written. The oldest give way. */
const queueLimit = 2_000;
/** Exchanges that are kept when there is no file. */
const inMemoryLimit = 5_000;

const insertSql =
  `INSERT OR REPLACE INTO exchanges (${columns.join(', ')}) VALUES ` + `(${columns.map(() => '?').join(', ')})`;
const newestOfProcessSql = `SELECT * FROM exchanges WHERE started_at >= ?
  ORDER BY started_at DESC, seq DESC LIMIT ?`;

/** The rows of exchanges on their way into the table: queued when an exchange ends, and written with others. */
export class RowWriter implements Writer {
  protected readonly store: Store;
  protected readonly log: Log;
  protected readonly unfinished: Unfinished;
  protected readonly words: Words;
  /** Exchanges that have ended and are not written yet. */
  protected queue: Exchange[] = [];
  /** When this process opened it. */
  readonly #since: number;

  constructor(store: Store, log: Log, now: number) {
    this.store = store;
    this.log = log;
    this.#since = now;
    this.unfinished = new Unfinished(store, log);
    this.words = new Words(store);
    store.join(this);
  }

  /** Called before it is sent, so that a killed process leaves a row of it. */
  sends(exchange: Exchange): void {
    this.unfinished.add(exchange);
  }

  /**
   * Queues a finished exchange and returns at once; the same id replaces its row. Until it is written a killed process
   * leaves the row of one that was under way, if it was sent.
   */
  record(exchange: Exchange): void {
    this.unfinished.ended(exchange.id);
    this.queue.push(exchange);
    if (this.queue.length > queueLimit && !this.store.relieve()) this.queue.shift();
    this.store.gather(this);
  }

  requests(): number {
    return this.queue.length;
  }

  write(): void {
    const insert = this.store.prepare(insertSql);
    this.words.begin();
    for (const exchange of this.queue) {
      try {
        insert.run(...toRow(exchange, this.words));
        this.unfinished.remove(exchange.id);
      } catch (error) {
        // One bad row must not hold up all that come after it.
        if (!saysBadRow(error)) throw error;
        this.log.write('error', 'history-row-refused', { id: exchange.id, why: reasonOf(error) });
      }
    }
    if (!this.store.onDisk) {
      this.store.prepare('DELETE FROM exchanges WHERE seq <= (SELECT max(seq) FROM exchanges) - ?').run(inMemoryLimit);
    }
  }

  written(): void {
    for (const { id } of this.queue) this.unfinished.forget(id);
    this.queue = [];
    this.words.committed();
  }

  carry(): number {
    const rows = this.store.read(() => this.store.prepare(newestOfProcessSql).all(this.#since, queueLimit), []);
    const written = rows.map((row) => fromRow(row, this.words)).filter((exchange) => exchange !== null);
    const waiting = new Set(this.queue.map(({ id }) => id));
    this.queue.unshift(...written.reverse().filter(({ id }) => !waiting.has(id)));
    return this.queue.length;
  }

  renewed(): void {
    this.words.renewed();
  }

  /** A database in memory stood in for a file that could not be read; its numbers are others. */
  reopened(): void {
    this.words.renewed();
  }
}

/**
 * The exchanges that are at Copilot. Each is on disk before it is sent, at once, so that what Copilot was asked is a
 * row also where the process is killed: the next owner of the folder finds it here. It is a line of the journal
 * (measured: 0.02 ms), and comes into the table when that is written before the answer has ended.
 */
class Unfinished implements Writer {
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
