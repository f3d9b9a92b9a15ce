import { EventEmitter, once } from 'node:events';
import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import type { CacheSavings, Conversation, ConversationPrompt, TotalsKey, TotalsRow } from '../api/history.ts';
import type { TimeZone } from '../api/settings.ts';
import type { Log } from '../ports.ts';
import {
  type ClientCost,
  type CostsMark,
  clientCostsSql,
  conversationsSql,
  type LaterCosts,
  laterCosts,
  partsSql,
  toClientCost,
  toConversation,
  toPrompts,
} from './conversations.ts';
import { compactId } from './packing.ts';
import { cacheSavings, lastPricesSql, totals } from './totals.ts';

export interface Question<Name extends QuestionName> {
  id: number;
  name: Name;
  which: Which<Name>;
}
export type Told<Name extends QuestionName> =
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
export class NoReader extends Error {
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
  told: EventEmitter;
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
  /** One that went wrong is not begun again: it would again. */
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
    const told: Told<Name> = await this.#tell(asked, AbortSignal.timeout(withinMs));
    if (!told.ok) throw new NoReader(told.why);
    return told.answer;
  }

  /** Changes rows, some at a time. Takes as long as it takes. Returns how many. Rejects with `NoReader`. */
  async change(what: Change['what']): Promise<number> {
    const change: Change = { id: ++this.#asked, what };
    this.#changes += 1;
    try {
      const told: Changed = await this.#tell(change, null);
      if (!told.ok) throw new NoReader(told.why);
      return told.answer;
    } finally {
      this.#changes -= 1;
      if (this.#thread !== null) this.#rest();
    }
  }

  /** What the thread says to it. */
  async #tell<Said>(asked: { id: number }, late: AbortSignal | null): Promise<Said> {
    if (!this.#usable) throw new NoReader('There is no thread.');
    this.#thread ??= this.#begin();
    const { worker, told, gone } = this.#thread;
    this.#rest();
    const signal = late === null ? gone.signal : AbortSignal.any([gone.signal, late]);
    const answered = once(told, String(asked.id), { signal });
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
    const thread: Thread = { worker, told: new EventEmitter(), gone: new AbortController() };
    // It keeps no process alive by itself.
    worker.unref();
    worker.on('message', (said: Told<QuestionName> | Changed) => thread.told.emit(String(said.id), said));
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
 * What may touch every row there is, and therefore is asked on another thread (`sums.ts`), or here where there is none.
 */
interface Questions {
  totals: { which: { by: TotalsKey; since: number; zone: TimeZone }; answer: TotalsRow[] };
  cacheSavings: { which: { since: number }; answer: CacheSavings };
  conversations: { which: { since: number; limit: number; offset: number }; answer: Conversation[] };
  conversation: {
    which: { since: number; client: string; session: string | null };
    answer: ConversationPrompt[];
  };
  askedNames: { which: { since: number }; answer: string[] };
  clientCosts: { which: { since: number }; answer: ClientCost[] };
  laterCosts: { which: { after: CostsMark | null }; answer: LaterCosts };
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

const answers: { readonly [Name in QuestionName]: (rows: Rows, which: Which<Name>) => Answer<Name> } = {
  totals,
  cacheSavings: (rows, { since }) =>
    cacheSavings(
      answers.totals(rows, { by: 'model', since, zone: 'utc' }),
      (model) => rows(lastPricesSql, [model, since])[0],
    ),
  conversations: (rows, { since, limit, offset }) => rows(conversationsSql, [since, limit, offset]).map(toConversation),
  conversation: (rows, { since, client, session }) =>
    toPrompts(rows(partsSql(session), [since, client, ...(session === null ? [] : [compactId(session)])])),
  clientCosts: (rows, { since }) => rows(clientCostsSql, [since]).map(toClientCost),
  laterCosts: (rows, { after }) => laterCosts(rows, after),
  askedNames: (rows, { since }) =>
    rows(askedNamesSql, [since]).flatMap(({ name }) => (typeof name === 'string' ? [name] : [])),
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
