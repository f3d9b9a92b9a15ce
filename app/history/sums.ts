import type { CacheSavings, Conversation, ConversationPrompt, TotalsKey, TotalsRow } from '../api/history.ts';
import type { TimeZone } from '../api/settings.ts';
import { type ClientCost, KeptCosts } from './conversations.ts';
import { type Answer, NoReader, type QuestionName, type Reader, type Which } from './reader.ts';
import type { Store, Writer } from './store.ts';

/** So many answers are kept: each period has three, and their times change with the day. */
const mostKept = 24;
/** Below it an answer takes no more than some milliseconds here. */
const manyRows = 5_000;

/** So many are deleted here within some milliseconds; a day of a busy person. */
const fewRows = 200;

/** Who does it on this thread. */
interface Here {
  answer<Name extends QuestionName>(name: Name, which: Which<Name>): Answer<Name>;
  prune(olderThan: number): unknown;
}

/**
 * What is asked of many rows, off the thread that carries the bytes where there are many (measured with 100 000: 70 to
 * 180 ms a question). An answer holds until a row comes or goes. All reject with `HistoryError`.
 */
export class Sums implements Writer {
  readonly #store: Store;
  readonly #here: Here;
  readonly #reader: Reader | null;
  readonly #kept: { readonly [Name in QuestionName]: Map<string, Promise<Answer<Name>>> } = {
    totals: new Map(),
    cacheSavings: new Map(),
    conversations: new Map(),
    conversation: new Map(),
    askedNames: new Map(),
    clientCosts: new Map(),
    laterCosts: new Map(),
  };
  #keptFor = '';
  readonly #costs = new KeptCosts();

  /** @param reader null: everything is asked here. */
  constructor(store: Store, here: Here, reader: Reader | null) {
    this.#store = store;
    this.#here = here;
    this.#reader = reader;
    store.join(this);
  }

  totals(by: TotalsKey, since: number, zone: TimeZone = 'local'): Promise<TotalsRow[]> {
    return this.#ask('totals', { by, since, zone });
  }

  cacheSavings(since: number): Promise<CacheSavings> {
    return this.#ask('cacheSavings', { since });
  }

  conversations(which: Which<'conversations'>): Promise<Conversation[]> {
    return this.#ask('conversations', which);
  }

  conversation(which: Which<'conversation'>): Promise<ConversationPrompt[]> {
    return this.#ask('conversation', which);
  }

  askedNames(since: number): Promise<string[]> {
    return this.#ask('askedNames', { since });
  }

  clientCosts(since: number): Promise<ClientCost[]> {
    if (since > 0) return this.#ask('clientCosts', { since });
    return this.#costs.all((after) => this.#ask('laterCosts', { after }));
  }

  /**
   * Deletes exchanges that began before a time, off this thread where they are many (measured: 3 000 a second). Where
   * that thread goes away or can't write, what is left goes the next time. Never rejects.
   */
  async prune(olderThan: number): Promise<void> {
    if (!this.#store.mayWrite) return;
    this.#store.flush();
    const due = this.#store.read(() => Number(this.#store.prepare(dueSql).get(olderThan)?.due ?? 0), 0);
    if (due === 0) return;
    if (this.#reader === null || due <= fewRows || !this.#store.onDisk) this.#here.prune(olderThan);
    else await this.#reader.change({ olderThan }).catch(() => undefined);
  }

  /** Whether exchanges that began between two times (ms) are kept. */
  hasRows(from: number, until: number): boolean {
    this.#store.flush();
    return this.#store.read(() => this.#store.prepare(betweenSql).get(from, until), undefined) !== undefined;
  }

  /**
   * Keeps sums, off this thread, so that questions are faster. What is left goes on the next time. Never rejects.
   */
  async tidy(): Promise<void> {
    if (this.#reader === null || !this.#store.onDisk || !this.#store.mayWrite) return;
    const found = this.#store.read(() => this.#store.prepare(tidySql).get(), undefined);
    if (Number(found?.rows ?? 0) >= manyRows) await this.#reader.change('sum-up').catch(() => undefined);
  }

  /** Lets go of the file; before the store does. */
  async close(): Promise<void> {
    await this.#reader?.close();
  }

  /** The thread still holds the file that was put aside. */
  renewed(): void {
    this.#forget('');
    void this.#reader?.close();
  }

  /** The counts of changes by which answers are known to hold begin anew with the connection. */
  reopened(): void {
    this.#forget('');
    void this.#reader?.close();
  }

  #ask<Name extends QuestionName>(name: Name, which: Which<Name>): Promise<Answer<Name>> {
    this.#store.flush();
    const state = this.#store.read(() => this.#store.prepare(stateSql).get(), undefined);
    // Another process may write the same file.
    const now = `${state?.ours} ${state?.theirs}`;
    if (now !== this.#keptFor) this.#forget(now);
    const kept = this.#kept[name];
    const key = JSON.stringify(which);
    const known = kept.get(key);
    if (known !== undefined) return known;
    const asked = this.#answer(name, which, Number(state?.rows ?? 0));
    if (kept.size >= mostKept) kept.clear();
    kept.set(key, asked);
    asked.catch(() => kept.delete(key));
    return asked;
  }

  async #answer<Name extends QuestionName>(name: Name, which: Which<Name>, rows: number): Promise<Answer<Name>> {
    if (this.#reader === null || rows < manyRows || !this.#store.onDisk) return this.#here.answer(name, which);
    try {
      return await this.#reader.ask(name, which);
    } catch (error) {
      if (!(error instanceof NoReader)) throw error;
      return this.#here.answer(name, which);
    }
  }

  #forget(now: string): void {
    this.#keptFor = now;
    for (const kept of Object.values(this.#kept)) kept.clear();
  }
}

/** No more are counted than decide. */
const dueSql = `SELECT count(*) AS due FROM (SELECT 1 FROM exchanges WHERE started_at < ? LIMIT ${fewRows + 1})`;

const betweenSql = 'SELECT 1 FROM exchanges WHERE started_at >= ? AND started_at < ? LIMIT 1';

/**
 * Whether a row came or went, by this connection or by another; and how many there may be, from the ends of the tree.
 */
const rowsSql = '(SELECT max(seq) FROM exchanges) - (SELECT min(seq) FROM exchanges)';
const stateSql = `SELECT total_changes() AS ours, (SELECT data_version FROM pragma_data_version) AS theirs,
  ${rowsSql} AS rows`;
const tidySql = `SELECT ${rowsSql} AS rows`;
