import type { Problem } from '../api/call.ts';
import type { Exchange, ExchangeRow } from '../api/exchange.ts';
import type { CacheSavings, Conversation, ConversationPrompt, TotalsKey, TotalsRow } from '../api/history.ts';
import type { TimeZone } from '../api/settings.ts';
import type { DatabaseDependencies } from '../database/owned-database.ts';
import type { Log } from '../ports.ts';
import { lastOfSql } from './conversations.ts';
import { unchanged, unreadable } from './history-error.ts';
import type { JournalEntry } from './journal.ts';
import { Ledger } from './ledger.ts';
import { LessonTable } from './lesson-table.ts';
import { listColumns, toListRow } from './list-row.ts';
import { compactId, forgetWordsSql, plainId } from './packing.ts';
import { fromRow, readRule } from './row.ts';
import { RowWriter } from './row-writer.ts';
import { Store } from './store.ts';
import { askedForSql, forgetSearchesSql, SearchTable, usedModelsSql } from './totals.ts';
import { type Answer, answer, type QuestionName, Reader, rowsOf, Sums, type Which } from './totals-cache.ts';

export interface OpenedHistory {
  history: History;
  /** What takes time where there are many rows. */
  sums: Sums;
  ledger: Ledger;
  lessons: LessonTable;
  searches: SearchTable;
  /** What was set right, kept aside or could not be used; for a person. */
  warnings: Problem[];
  /** This process owns the folder and serves from now on. */
  takeOver(): void;
  /** Stops serving: all rows are written, and another process may own the folder. */
  letGo(): void;
}

/**
 * Opens history.db. Never throws: a damaged file or one of a newer version is kept aside under a telling name, and
 * where no file can be used the history lives in memory. A process that does not own the folder changes and moves
 * nothing until `takeOver`.
 */
export function openHistory(path: string, dependencies: DatabaseDependencies): OpenedHistory {
  const store = new Store(path, dependencies);
  const history = new History(store, dependencies.log, dependencies.clock.now());
  const ledger = new Ledger(store, dependencies.clock);
  const lessons = new LessonTable(store, dependencies.clock);
  const searches = new SearchTable(store);
  // A second process carries no bytes, and is soon over.
  const sums = new Sums(store, history, dependencies.readOnly ? null : new Reader(path, dependencies.log));
  return {
    ...{ history, sums, ledger, lessons, searches },
    takeOver: () => {
      const journal = store.gatherFromNow();
      history.takeOver(journal);
      ledger.takeOver(journal);
    },
    letGo: () => store.letGo(),
    get warnings() {
      return store.warnings;
    },
  };
}

/** Sums of the requests of one client, key, account, rule, model and session. */
type Spent = Pick<Exchange, 'client' | 'key' | 'account' | 'rule' | 'servedModel' | 'session'> & {
  nanoAiu: number;
  premiumRequests: number;
};

const spentSql = `SELECT client, (SELECT text FROM words WHERE words.id = account) AS account, served_model AS model,
    session, (SELECT text FROM words WHERE words.id = local_key) AS local_key,
    (SELECT text FROM words WHERE words.id = rule) AS rule,
    coalesce(sum(charge_nano_aiu), 0) AS nano_aiu,
    coalesce(sum(charge_premium_requests), 0) AS premium_requests
  FROM exchanges WHERE started_at >= ? AND (charge_nano_aiu > 0 OR charge_premium_requests > 0)
  GROUP BY 1, 2, 3, 4, 5, 6`;
const keysUsedSql = `SELECT (SELECT text FROM words WHERE words.id = local_key) AS name, max(started_at) AS at
  FROM exchanges WHERE local_key IS NOT NULL GROUP BY local_key`;
const findSql = 'SELECT * FROM exchanges WHERE id = ?';
const ofClientsSql = `SELECT * FROM exchanges WHERE started_at >= ? AND client IN (SELECT value FROM json_each(?))
  ORDER BY started_at, seq`;
const newestFirst = 'ORDER BY started_at DESC, seq DESC LIMIT ?';
const lastArrivedSql = 'SELECT * FROM exchanges ORDER BY seq DESC LIMIT ?';
const olderThanOne = 'WHERE (started_at, seq) < (SELECT started_at, seq FROM exchanges WHERE id = ?)';

/**
 * Sorted by their start, but by their end where the clock was set back.
 * @param ended in the order in which they ended
 */
function inArrivalOrder(ended: readonly Exchange[]): Exchange[] {
  let firstEnd = Number.POSITIVE_INFINITY;
  let firstKey = Number.POSITIVE_INFINITY;
  const keyed: { exchange: Exchange; key: number }[] = [];
  for (const exchange of ended.toReversed()) {
    const { startedAt, times } = exchange;
    // Rows are written when requests end: a start after the end of a later row is by a clock that was set back since.
    const key = startedAt > firstEnd ? Math.min(startedAt, firstKey) : startedAt;
    firstEnd = Math.min(firstEnd, startedAt + (times.lastEvent ?? times.headers ?? times.sent ?? 0));
    firstKey = Math.min(firstKey, key);
    keyed.unshift({ exchange, key });
  }
  return keyed.sort((left, right) => left.key - right.key).map(({ exchange }) => exchange);
}

/** What happened: one row per exchange, without any content of it. Times in ms since the epoch. */
export class History extends RowWriter {
  /** Changes when another process has written to the file. */
  #version: unknown = null;

  constructor(store: Store, log: Log, now: number) {
    super(store, log, now);
    this.isWrittenBeside();
  }

  /** Whether another process has written since this was last asked. */
  isWrittenBeside(): boolean {
    const before = this.#version;
    this.#version = this.store.read(
      () => this.store.prepare('PRAGMA data_version').get()?.data_version ?? null,
      before,
    );
    return this.#version !== before;
  }

  /**
   * This process owns the folder from now on: what an owner before it left unfinished has ended with it.
   *
   * @param journal what that one had gathered.
   */
  takeOver(journal: readonly JournalEntry[] = []): void {
    this.store.own();
    const left = this.unfinished.left(journal);
    if (left.length > 0) this.log.write('warn', 'history-taken-over', { unfinished: left.length });
    for (const exchange of left) this.record(this.find(exchange.id) ?? exchange);
  }

  /** Writes what is queued now. */
  flush(): void {
    this.store.flush();
  }

  /** What is wrong with the history now, or null. */
  problem(): Problem | null {
    return this.store.problem();
  }

  /**
   * The newest `limit` exchanges by their start, newest last; with `before` those that are older than the exchange of
   * that id (none when it is not known). Exchanges that could not be written yet are among them.
   */
  recent(options: { limit: number; before?: string }): Exchange[] {
    const limit = Math.max(0, Math.trunc(options.limit));
    this.store.flush();
    const rows = this.store.read(() => {
      if (options.before === undefined) return this.store.prepare(`SELECT * FROM exchanges ${newestFirst}`).all(limit);
      return this.store
        .prepare(`SELECT * FROM exchanges ${olderThanOne} ${newestFirst}`)
        .all(compactId(options.before), limit);
    }, []);
    const found: Exchange[] = [];
    for (const row of rows.reverse()) {
      const exchange = fromRow(row, this.words);
      if (exchange) found.push(exchange);
      else this.log.write('warn', 'history-row-unreadable', { id: plainId(String(row.id)) });
    }
    if (this.queue.length === 0 || options.before !== undefined) return found;
    const waiting = new Set(this.queue.map((exchange) => exchange.id));
    return [...found.filter((exchange) => !waiting.has(exchange.id)), ...this.queue]
      .sort((left, right) => left.startedAt - right.startedAt)
      .slice(-limit);
  }

  /** The last `limit` exchanges that were written, newest last, also where the clock was set back between them. */
  lastArrived(limit: number): Exchange[] {
    this.store.flush();
    const rows = this.store.read(() => this.store.prepare(lastArrivedSql).all(limit), []);
    const found = rows
      .reverse()
      .map((row) => fromRow(row, this.words))
      .filter((exchange) => exchange !== null);
    const waiting = new Set(this.queue.map((exchange) => exchange.id));
    return inArrivalOrder([...found.filter(({ id }) => !waiting.has(id)), ...this.queue]).slice(-limit);
  }

  /**
   * Up to `limit` exchanges older than the one of an id, newest last, with no more than a list shows (measured: a fifth
   * of the time).
   */
  list(options: { limit: number; before: string }): ExchangeRow[] {
    const { limit, before } = options;
    this.store.flush();
    const sql = `SELECT ${listColumns} FROM exchanges ${olderThanOne} ${newestFirst}`;
    const rows = this.store.read(
      () => this.store.prepare(sql).all(compactId(before), Math.max(0, Math.trunc(limit))),
      [],
    );
    return rows
      .reverse()
      .map((row) => toListRow(row, this.words))
      .filter((row) => row !== null);
  }

  /** Exchanges of these clients that began at a time (ms) or later and have ended, oldest first. */
  ofClients(clients: readonly string[], since: number): Exchange[] {
    if (clients.length === 0) return [];
    this.store.flush();
    const rows = this.store.read(() => this.store.prepare(ofClientsSql).all(since, JSON.stringify(clients)), []);
    return rows.map((row) => fromRow(row, this.words)).filter((exchange) => exchange !== null);
  }

  /** The last exchange of a session's main conversation that tokens are known of, or null when none is kept. */
  lastOf(session: string): Exchange | null {
    this.store.flush();
    const row = this.store.read(() => this.store.prepare(lastOfSql).get(compactId(session)), undefined);
    return row === undefined ? null : fromRow(row, this.words);
  }

  /** The exchange of an id, or null when none is kept. */
  find(id: string): Exchange | null {
    const waiting = this.queue.findLast((exchange) => exchange.id === id);
    if (waiting !== undefined) return waiting;
    const row = this.store.read(() => this.store.prepare(findSql).get(compactId(id)), undefined);
    return row === undefined ? null : fromRow(row, this.words);
  }

  /**
   * Sums since a time, by hour, day or month of that zone (oldest first), by model or by client (most requests first).
   * Without a model the key is empty. Rejects with `HistoryError`, as all sums do.
   */
  totals(by: TotalsKey, since: number, zone: TimeZone = 'local'): TotalsRow[] {
    return this.answer('totals', { by, since, zone });
  }

  /**
   * What was charged since a time by who asked for what; read at once, so that no request that ends meanwhile is in it
   * or missed. Throws `HistoryError`.
   */
  spent(since: number): Spent[] {
    return this.#ask(() => this.store.prepare(spentSql).all(since)).map((row) => {
      const rule = typeof row.rule === 'string' ? readRule(row.rule) : undefined;
      return {
        client: String(row.client),
        ...(typeof row.local_key === 'string' && { key: row.local_key }),
        ...(typeof row.account === 'string' && { account: row.account }),
        ...(rule !== undefined && { rule }),
        servedModel: typeof row.model === 'string' ? row.model : null,
        session: typeof row.session === 'string' ? plainId(row.session) : null,
        nanoAiu: Number(row.nano_aiu),
        premiumRequests: Number(row.premium_requests),
      };
    });
  }

  /** When the last request with each further key began, by its name. */
  keysUsed(): Map<string, number> {
    this.store.flush();
    const rows = this.store.read(() => this.store.prepare(keysUsedSql).all(), []);
    return new Map(rows.map(({ name, at }) => [String(name), Number(at)]));
  }

  /** What the cache saved since a time, by the prices of Copilot's last charges. */
  cacheSavings(since: number): CacheSavings {
    return this.answer('cacheSavings', { since });
  }

  /** Sessions since a time, most recently used first. */
  conversations(which: { since: number; limit: number; offset: number }): Conversation[] {
    return this.answer('conversations', which);
  }

  /** The prompts of one session, the newest first, each with those that worked on it. */
  conversation(which: { since: number; client: string; session: string | null }): ConversationPrompt[] {
    return this.answer('conversation', which);
  }

  /** Up to 100 names of models that clients have asked for since a time, the last one first. */
  askedNames(since: number): string[] {
    return this.answer('askedNames', { since });
  }

  /** The models that requests ran on since a time, each with what the last of them had asked for. */
  usedModels(since: number): { model: string; asked: string }[] {
    const rows = this.#ask(() => this.store.prepare(usedModelsSql).all(since));
    return rows.flatMap(({ model, at }) => {
      if (typeof model !== 'string' || typeof at !== 'number') return [];
      const [row] = this.#ask(() => this.store.prepare(askedForSql).all(model, at));
      return typeof row?.asked === 'string' ? [{ model, asked: row.asked }] : [];
    });
  }

  /** Asks here, at once: where there are many rows `Sums` does it on another thread. */
  answer<Name extends QuestionName>(name: Name, which: Which<Name>): Answer<Name> {
    return this.#ask(() =>
      answer(
        name,
        rowsOf((sql) => this.store.prepare(sql)),
        which,
      ),
    );
  }

  /** Sums must not be short of rows, so what can't be read is an error here, unless a new file was begun meanwhile. */
  #ask<Found>(question: () => Found): Found {
    this.store.flush();
    const found = this.store.read<Found | null>(question, null) ?? this.store.read<Found | null>(question, null);
    if (found === null) throw unreadable(this.store.problem());
    return found;
  }

  /** Finds out whether the file can be read now; what is wrong is among the warnings then. */
  checkFile(): void {
    this.store.checkFile();
  }

  /** How many exchanges are kept. */
  count(): number {
    this.store.flush();
    const count = this.store.read(() => this.store.prepare('SELECT count(*) AS count FROM exchanges').get()?.count, 0);
    return (typeof count === 'number' ? count : 0) + this.queue.length;
  }

  /**
   * Deletes exchanges that began before a time (ms). Returns how many; null if none, because the file can't be changed.
   * Which prompts were accepted is forgotten by a rule of its own.
   */
  prune(olderThan: number): number | null {
    this.store.flush();
    let deleted = 0;
    const isDone = this.store.change(() => {
      const some = this.store.prepare('SELECT 1 FROM exchanges WHERE started_at >= ? LIMIT 1').get(olderThan);
      const changes =
        some === undefined
          ? this.#deleteAll()
          : this.store.prepare('DELETE FROM exchanges WHERE started_at < ?').run(olderThan).changes;
      deleted = Number(changes);
      this.store.prepare(forgetWordsSql).run(olderThan, olderThan);
      this.words.forget();
      this.store.prepare(forgetSearchesSql).run(olderThan);
    });
    return isDone ? deleted : null;
  }

  /** Like `prune`, but reports failure to the person. Throws `HistoryError`. */
  delete(olderThan: number): number {
    this.store.requireOwned();
    const deleted = this.prune(olderThan);
    if (deleted === null) throw unchanged(this.store.problem());
    return deleted;
  }

  /** Page by page, not row by row (measured with 550 000: 0.65 s instead of 12), which it does without the trigger. */
  #deleteAll(): number | bigint {
    const trigger = this.store.prepare(`SELECT sql FROM sqlite_schema WHERE name = 'exchange_went'`).get()?.sql;
    this.store.prepare('DROP TRIGGER IF EXISTS exchange_went').run();
    const { changes } = this.store.prepare('DELETE FROM exchanges').run();
    this.store.prepare('DELETE FROM quarter_sums').run();
    if (typeof trigger === 'string') this.store.prepare(trigger).run();
    return changes;
  }

  /** Writes what is queued and closes the file, for the ledger too. */
  close(): void {
    this.store.close();
  }
}
