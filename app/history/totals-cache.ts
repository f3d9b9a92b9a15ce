import { EventEmitter, once } from 'node:events';
import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import type {
  CacheMiss,
  CacheSavings,
  Conversation,
  ConversationPrompt,
  LastRequest,
  TotalsKey,
  TotalsRow,
} from '../api/history.ts';
import type { TimeZone } from '../api/settings.ts';
import type { Log } from '../ports.ts';
import { cacheMisses } from './cache-misses.ts';
import {
  type ClientCost,
  type CostsMark,
  conversationsSql,
  KeptCosts,
  type LaterCosts,
  laterCosts,
  type PromptCost,
  partsSql,
  promptCostsSql,
  toConversation,
  toPromptCost,
  toPrompts,
} from './conversations.ts';
import { compactId } from './packing.ts';
import type { Store, Writer } from './store.ts';
import { cacheSavings, lastPricesSql, totals } from './totals.ts';

/** Answers that are cached: each period has three, and their times change with the day. */
const mostKept = 24;
/** Below it an answer takes no more than some milliseconds here. */
const manyRows = 5_000;

/** Rows that can be deleted here within some milliseconds; a busy person's day. */
const fewRows = 200;

/** Does the work on this thread. */
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
    cacheMisses: new Map(),
    conversations: new Map(),
    conversation: new Map(),
    askedNames: new Map(),
    lastRequests: new Map(),
    laterCosts: new Map(),
    promptCosts: new Map(),
  };
  #keptFor = '';
  readonly #costs = new KeptCosts();

  /** @param reader null if everything is asked here. */
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

  cacheMisses(since: number): Promise<CacheMiss[]> {
    return this.#ask('cacheMisses', { since });
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

  lastRequests(): Promise<LastRequest[]> {
    return this.#ask('lastRequests', {});
  }

  clientCosts(): Promise<ClientCost[]> {
    return this.#costs.all((after) => this.#ask('laterCosts', { after }));
  }

  promptCosts(session: string): Promise<PromptCost[]> {
    return this.#ask('promptCosts', { session });
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

/** Counts no more rows than are needed to decide. */
const dueSql = `SELECT count(*) AS due FROM (SELECT 1 FROM exchanges WHERE started_at < ? LIMIT ${fewRows + 1})`;

const betweenSql = 'SELECT 1 FROM exchanges WHERE started_at >= ? AND started_at < ? LIMIT 1';

/**
 * Whether a row came or went, by this connection or by another; and how many there may be, from the ends of the tree.
 */
const rowsSql = '(SELECT max(seq) FROM exchanges) - (SELECT min(seq) FROM exchanges)';
const stateSql = `SELECT total_changes() AS ours, (SELECT data_version FROM pragma_data_version) AS theirs,
  ${rowsSql} AS rows`;
const tidySql = `SELECT ${rowsSql} AS rows`;

export interface Question<Name extends QuestionName> {
  id: number;
  name: Name;
  which: Which<Name>;
}
export type Reported<Name extends QuestionName> =
  | { id: number; ok: true; answer: Answer<Name> }
  | { id: number; ok: false; why: string };

/** What the thread changes, some rows at a time. */
export interface Change {
  id: number;
  /** Delete rows that began before a time, or keep sums that are not kept. */
  what: { olderThan: number } | 'sum-up';
}
/** How many rows. */
export type Changed = { id: number; ok: true; answer: number } | { id: number; ok: false; why: string };

/** The thread could not be had, went away or could not read: the caller may read on its own thread. */
class NoReader extends Error {
  override readonly name = 'NoReader';
}

/** The thread's file: beside this one in the sources, in `dist/threads/` in a build. */
const threadFile = import.meta.url.endsWith('.ts') ? './reader-thread.ts' : '../threads/history-reader.js';
/** A thread takes some 15 MiB; dashboards that are looked at ask every few seconds. */
const idleMs = 60_000;
/** A thousand times what a question takes. */
const withinMs = 60_000;
/** Answers are a few hundred lines; 100 000 rows never leave SQLite. */
const heapMb = 128;

interface Thread {
  worker: Worker;
  reported: EventEmitter;
  gone: AbortController;
}

/**
 * Asks the file of the history on another thread, so that the one that carries the bytes goes on. The thread comes with
 * the first question.
 */
export class Reader {
  readonly #path: string;
  readonly #log: Log;
  readonly #file: URL;
  #thread: Thread | null = null;
  #asked = 0;
  #changes = 0;
  #idle: NodeJS.Timeout | undefined;
  /** False after a failure: another attempt would fail too. */
  #usable = true;

  /** @param file another thread, for tests. */
  constructor(path: string, log: Log, file = new URL(threadFile, import.meta.url)) {
    this.#path = path;
    this.#log = log;
    this.#file = file;
  }

  /** Rejects with `NoReader`. */
  async ask<Name extends QuestionName>(name: Name, which: Which<Name>): Promise<Answer<Name>> {
    const id = ++this.#asked;
    const asked: Question<Name> = { id, name, which };
    const reported: Reported<Name> = await this.#tell(asked, AbortSignal.timeout(withinMs));
    if (!reported.ok) throw new NoReader(reported.why);
    return reported.answer;
  }

  /** Changes rows, some at a time. Takes as long as it takes. Returns how many. Rejects with `NoReader`. */
  async change(what: Change['what']): Promise<number> {
    const change: Change = { id: ++this.#asked, what };
    this.#changes += 1;
    try {
      const reported: Changed = await this.#tell(change, null);
      if (!reported.ok) throw new NoReader(reported.why);
      return reported.answer;
    } finally {
      this.#changes -= 1;
      if (this.#thread !== null) this.#rest();
    }
  }

  /** What the thread says to it. */
  async #tell<Said>(asked: { id: number }, late: AbortSignal | null): Promise<Said> {
    if (!this.#usable) throw new NoReader('There is no thread.');
    this.#thread ??= this.#begin();
    const { worker, reported, gone } = this.#thread;
    this.#rest();
    const signal = late === null ? gone.signal : AbortSignal.any([gone.signal, late]);
    const answered = once(reported, String(asked.id), { signal });
    worker.postMessage(asked);
    const [said] = await answered.catch((error: unknown) => {
      throw new NoReader('The thread went away.', { cause: error });
    });
    return said;
  }

  /** Lets go of the file. The next question begins another thread. */
  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const thread = this.#thread;
    this.#thread = null;
    if (thread === null) return;
    await thread.worker.terminate();
  }

  #begin(): Thread {
    const worker = new Worker(this.#file, {
      workerData: this.#path,
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
    });
    const thread: Thread = { worker, reported: new EventEmitter(), gone: new AbortController() };
    // It keeps no process alive by itself.
    worker.unref();
    worker.on('message', (said: Reported<QuestionName> | Changed) => thread.reported.emit(String(said.id), said));
    worker.on('error', (error) => {
      this.#usable = false;
      this.#log.write('warn', 'history.no-reader', { why: error.message });
    });
    worker.on('exit', () => {
      if (this.#thread === thread) this.#thread = null;
      thread.gone.abort();
    });
    return thread;
  }

  #rest(): void {
    clearTimeout(this.#idle);
    if (this.#changes === 0) this.#idle = setTimeout(() => void this.close(), idleMs).unref();
  }
}

/**
 * What may touch every row there is, and therefore is asked on another thread, or here where there is none.
 */
interface Questions {
  totals: { which: { by: TotalsKey; since: number; zone: TimeZone }; answer: TotalsRow[] };
  cacheSavings: { which: { since: number }; answer: CacheSavings };
  cacheMisses: { which: { since: number }; answer: CacheMiss[] };
  conversations: { which: { since: number; limit: number; offset: number }; answer: Conversation[] };
  conversation: {
    which: { since: number; client: string; session: string | null };
    answer: ConversationPrompt[];
  };
  askedNames: { which: { since: number }; answer: string[] };
  lastRequests: { which: object; answer: LastRequest[] };
  laterCosts: { which: { after: CostsMark | null }; answer: LaterCosts };
  promptCosts: { which: { session: string }; answer: PromptCost[] };
}
export type QuestionName = keyof Questions;
export type Which<Name extends QuestionName> = Questions[Name]['which'];
export type Answer<Name extends QuestionName> = Questions[Name]['answer'];

type Row = Record<string, SQLOutputValue>;

/** The database that is asked. `bigInts`: numbers come as such. */
type Rows = (sql: string, values: readonly SQLInputValue[], bigInts?: boolean) => Row[];

// Claude Code's: it speaks Messages, and names its session.
const askedNamesSql = `SELECT asked_model AS name FROM exchanges
  WHERE started_at >= ? AND asked_model IS NOT NULL AND api = 'messages' AND session IS NOT NULL
  GROUP BY asked_model ORDER BY max(started_at) DESC LIMIT 100`;

const lastRequestsSql = `SELECT client, max(started_at) AS at, served_model AS model FROM exchanges
  WHERE served_model IS NOT NULL GROUP BY client`;

const answers: { readonly [Name in QuestionName]: (rows: Rows, which: Which<Name>) => Answer<Name> } = {
  totals,
  cacheSavings: (rows, { since }) =>
    cacheSavings(
      answers.totals(rows, { by: 'model', since, zone: 'utc' }),
      (model) => rows(lastPricesSql, [model, since])[0],
    ),
  cacheMisses: (rows, { since }) => cacheMisses(rows, since),
  conversations: (rows, { since, limit, offset }) => rows(conversationsSql, [since, limit, offset]).map(toConversation),
  conversation: (rows, { since, client, session }) =>
    toPrompts(rows(partsSql(session), [since, client, ...(session === null ? [] : [compactId(session)])])),
  laterCosts: (rows, { after }) => laterCosts(rows, after),
  promptCosts: (rows, { session }) => rows(promptCostsSql, [compactId(session)]).map(toPromptCost),
  askedNames: (rows, { since }) =>
    rows(askedNamesSql, [since]).flatMap(({ name }) => (typeof name === 'string' ? [name] : [])),
  lastRequests: (rows) =>
    rows(lastRequestsSql, []).map(({ client, at, model }) => ({
      ...{ client: String(client), at: Number(at), model: String(model) },
    })),
};

/** Throws what the database throws. */
export function answer<Name extends QuestionName>(name: Name, rows: Rows, which: Which<Name>): Answer<Name> {
  return answers[name](rows, which);
}

/** Reads by statements that are prepared once for each text. */
export function rowsOf(prepare: (sql: string) => StatementSync): Rows {
  return (sql, values, bigInts = false) => {
    const statement = prepare(sql);
    statement.setReadBigInts(bigInts);
    return statement.all(...values);
  };
}

/** The same for a database of its own. */
export function rowsIn(database: DatabaseSync): Rows {
  const statements = new Map<string, StatementSync>();
  return rowsOf((sql) => {
    const statement = statements.get(sql) ?? database.prepare(sql);
    statements.set(sql, statement);
    return statement;
  });
}
