import type { SQLOutputValue } from 'node:sqlite';
import { type EngineName, engineNameSchema, type SearchTotalsRow } from '../api/search.ts';
import type { TimeZone } from '../api/settings.ts';
import { type Store, unreadable, type Writer } from './store.ts';
import { quarterMs, stamp } from './totals.ts';

/** One search, without its text. */
interface SearchEntry {
  /** ms since the epoch. */
  at: number;
  engine: EngineName;
  failed: boolean;
}

/** Those that wait for a database that cannot be written. */
const queueLimit = 2000;

/** How often the web was searched, and by whom: for Usage. Kept as long as requests are. */
export class SearchTable implements Writer {
  readonly #store: Store;
  #queue: SearchEntry[] = [];

  constructor(store: Store) {
    this.#store = store;
    store.join(this);
  }

  record(entry: SearchEntry): void {
    this.#queue.push(entry);
    if (this.#queue.length > queueLimit) this.#queue.shift();
    this.#store.schedule();
  }

  /** By day of that zone and by engine, the oldest day first. Throws `HistoryError`. */
  totals(since: number, zone: TimeZone): SearchTotalsRow[] {
    this.#store.flush();
    const rows = this.#store.read<Row[] | null>(() => this.#store.prepare(totalsSql).all(since), null);
    if (rows === null) throw unreadable(this.#store.problem());
    const sums = new Map<string, SearchTotalsRow>();
    for (const { quarter, engine, searches, failed } of rows) {
      const known = engineNameSchema.safeParse(engine);
      if (!known.success) continue;
      const day = stamp(Number(quarter) * quarterMs, zone).slice(0, 10);
      const key = `${day} ${known.data}`;
      const sum = sums.get(key) ?? { day, engine: known.data, searches: 0, failed: 0 };
      sum.searches += Number(searches);
      sum.failed += Number(failed);
      sums.set(key, sum);
    }
    return [...sums.values()];
  }

  pending(): number {
    return this.#queue.length;
  }

  write(): void {
    for (const { at, engine, failed } of this.#queue) this.#store.prepare(putSql).run(at, engine, failed ? 1 : 0);
  }

  written(): void {
    this.#queue = [];
  }

  renewed(): void {}
  reopened(): void {}
}

type Row = Record<string, SQLOutputValue>;

const putSql = 'INSERT INTO searches (at, engine, failed) VALUES (?, ?, ?)';
const totalsSql = `SELECT at / ${quarterMs} AS quarter, engine, count(*) AS searches, sum(failed) AS failed
  FROM searches WHERE at >= ? GROUP BY 1, 2 ORDER BY 1`;
/** One parameter: the time before which they are forgotten. */
export const forgetSearchesSql = 'DELETE FROM searches WHERE at < ?';
