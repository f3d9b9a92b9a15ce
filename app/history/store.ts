import { basename } from 'node:path';
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { Problem } from '../api/problem.ts';
import type { Clock, Log } from '../ports.ts';
import { ownedElsewhere } from './history-error.ts';
import { Journal, type JournalEntry } from './journal.ts';
import { closeQuietly, type OpenedDatabase, openDatabase } from '../database/open-database.ts';
import { historyForm } from './schema.ts';
import { reasonOf, saysDamaged } from '../database/sqlite-error.ts';

/** What has rows to write. All calls come from the store. */
export interface Writer {
  /** How many rows wait. */
  pending(): number;
  /** Writes all of them, inside a transaction; may throw. */
  write(): void;
  /** They are committed. */
  written(): void;
  /** The file was damaged while we ran and was replaced by an empty one. */
  renewed(): void;
  /** Another process owned the file, and this one does now: what was read of it before may have changed. */
  reopened(): void;
}

export interface StoreDependencies {
  clock: Clock;
  log: Log;
  /** A second process beside the one that writes: it changes and moves nothing. */
  readOnly?: boolean;
  /** Whether another process owns the folder now: then nothing is changed or moved until `own`. */
  isOwnedElsewhere?: () => boolean;
}

const retryMs = 5_000;
/**
 * So long rows are gathered for one transaction, or until there are so many: writing them holds up the bytes (measured:
 * 0.03 ms a row).
 */
const gatherMs = 500;
const mostGathered = 60;
/**
 * So long after the last write the log of changes goes into the file, which waits for the disk (measured: 5 to 100 ms).
 */
const quietMs = 3_000;
const sayAgainMs = 60_000;

/**
 * The one owner of the database. Rows are written behind: all that were queued in one turn of the event loop go out in
 * one transaction, after that turn; or, between `gatherFromNow` and `letGo`, all of half a second, with what may not be
 * lost meanwhile in the journal. A write that fails is said, kept and tried again; it never reaches the exchange that
 * caused it.
 */
export class Store {
  readonly #path: string;
  readonly #clock: Clock;
  readonly #log: Log;
  #readOnly: boolean;
  readonly #mayOwn: boolean;
  readonly #writers: Writer[] = [];
  readonly #statements = new Map<string, StatementSync>();
  readonly #ending = new AbortController();
  readonly #journal: Journal;
  readonly #onExit = (): void => void this.flush();
  /** Not in the journal yet. */
  #unnoted: JournalEntry[] = [];
  /** Since the last write. */
  #gathered = 0;
  #gathering = false;
  #opened: OpenedDatabase;
  #scheduled = false;
  #retrying = false;
  #awaitingQuiet = false;
  #wroteAt = 0;
  #problem: Problem | null;
  #saidAt: number | null = null;
  #closed = false;

  constructor(path: string, parts: StoreDependencies) {
    this.#path = path;
    this.#journal = new Journal(`${path}-waiting`);
    this.#clock = parts.clock;
    this.#log = parts.log;
    this.#mayOwn = parts.readOnly !== true;
    this.#readOnly = !this.#mayOwn || parts.isOwnedElsewhere?.() === true;
    this.#opened = openDatabase(historyForm, path, { now: parts.clock.now(), readOnly: this.#readOnly });
    this.#problem = null;
    this.#toldOpened();
  }

  /** The folder is this process's from now on. Another one owned it when the file was opened: it is written to now. */
  own(): void {
    if (!this.#readOnly || !this.#mayOwn || this.#closed) return;
    this.#statements.clear();
    closeQuietly(this.#opened.database);
    this.#readOnly = false;
    this.#opened = openDatabase(historyForm, this.#path, { now: this.#clock.now() });
    this.#toldOpened();
    for (const writer of this.#writers) writer.reopened();
  }

  /**
   * The owner of the folder calls it when it begins to serve, and `letGo` when it does no more: rows are gathered
   * meanwhile. Returns what an owner that was killed had gathered.
   */
  gatherFromNow(): JournalEntry[] {
    this.own();
    if (this.#readOnly || this.#closed || !this.onDisk) return [];
    // After an uncaught error: no further turn of the event loop comes.
    process.off('exit', this.#onExit);
    process.on('exit', this.#onExit);
    return this.#journal.begin();
  }

  /** Writes what is queued. Another process may own the folder from now on. */
  letGo(): void {
    process.off('exit', this.#onExit);
    if (this.flush()) this.#journal.remove();
    else this.#journal.end();
  }

  #toldOpened(): void {
    this.#problem = this.#opened.onDisk ? null : (this.#opened.warnings.at(-1) ?? null);
    for (const warning of this.#opened.warnings) this.#log.write('warn', warning.code, { text: warning.text });
  }

  get warnings(): Problem[] {
    return this.#opened.warnings;
  }

  get onDisk(): boolean {
    return this.#opened.onDisk;
  }

  /** Whether this process may change the file now: another one may own it. */
  get mayWrite(): boolean {
    return !this.#readOnly && !this.#closed;
  }

  /** Throws `HistoryError` where another process owns the file. */
  requireOwned(): void {
    if (this.#readOnly) throw ownedElsewhere();
  }

  /** What is wrong with the history now: rows that cannot be written, or a database in memory. */
  problem(): Problem | null {
    return this.#problem;
  }

  /**
   * Makes room for a writer that holds too much: true when all rows are written, false when it has to let go of some.
   */
  relieve(): boolean {
    return !this.#retrying && this.flush();
  }

  join(writer: Writer): void {
    this.#writers.push(writer);
  }

  /** The prepared statement, made once. It may not be kept: the database under it can be replaced. */
  prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#opened.database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  /** Has the queued rows written soon. Costs nothing on the way of the caller. */
  schedule(): void {
    // While writing fails, the retry alone tries: a full or locked disk must not be asked in every turn.
    if (this.#scheduled || this.#retrying || this.#closed) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.flush();
    });
  }

  /** The same with what comes within half a second. A killed process leaves `entry` from the next turn on. */
  gather(entry?: JournalEntry): void {
    if (!this.#journal.isOpen) {
      this.schedule();
      return;
    }
    if (this.#retrying || this.#closed) return;
    if (entry !== undefined) this.#noteSoon(entry);
    if (++this.#gathered >= mostGathered) this.schedule();
    else this.#flushLater();
  }

  /** The same, and a killed process leaves it from now on. False: nothing is gathered. */
  gatherNow(entry: JournalEntry): boolean {
    if (!this.#journal.isOpen || this.#retrying || this.#closed) return false;
    this.#unnoted.push(entry);
    if (!this.#note()) return false;
    this.#flushLater();
    return true;
  }

  #noteSoon(entry: JournalEntry): void {
    this.#unnoted.push(entry);
    if (this.#unnoted.length > 1) return;
    setImmediate(() => {
      if (!this.#note()) this.schedule();
    });
  }

  #note(): boolean {
    const entries = this.#unnoted;
    this.#unnoted = [];
    return this.#journal.add(entries);
  }

  #flushLater(): void {
    if (this.#gathering) return;
    this.#gathering = true;
    this.#clock.sleep(gatherMs, this.#ending.signal).then(
      () => {
        this.#gathering = false;
        if (!this.#retrying) this.flush();
      },
      () => {},
    );
  }

  /** Writes all queued rows now. False: they could not be written and are still queued. */
  flush(): boolean {
    if (this.#closed || this.#readOnly) return false;
    if (this.#writers.every((writer) => writer.pending() === 0)) {
      this.#journal.clear();
      this.#mended();
      return true;
    }
    try {
      this.#transact(() => {
        for (const writer of this.#writers) if (writer.pending() > 0) writer.write();
      });
    } catch (error) {
      this.#failed(error);
      return false;
    }
    for (const writer of this.#writers) writer.written();
    this.#unnoted = [];
    this.#gathered = 0;
    this.#journal.clear();
    this.#mended();
    this.#wroteAt = this.#clock.ticks();
    this.#checkpointWhenQuiet();
    return true;
  }

  /** Answers `question`, or `otherwise` when the database cannot. */
  read<Answer>(question: () => Answer, otherwise: Answer): Answer {
    if (this.#closed) return otherwise;
    try {
      return question();
    } catch (error) {
      this.#failed(error);
      return otherwise;
    }
  }

  /** Runs one change in a transaction of its own. False: it could not be made. */
  change(work: () => void): boolean {
    if (this.#closed || this.#readOnly) return false;
    try {
      this.#transact(work);
      return true;
    } catch (error) {
      this.#failed(error);
      return false;
    }
  }

  /**
   * Runs one statement, which is a transaction by itself; but not while writing fails: for what can be missed, and may
   * not wait.
   */
  runIfWell(sql: string, ...values: SQLInputValue[]): void {
    if (this.#retrying || this.#closed || this.#readOnly) return;
    try {
      this.prepare(sql).run(...values);
    } catch (error) {
      this.#failed(error);
    }
  }

  /** Writes what is queued and lets go of the file. Nothing can be asked afterwards. */
  close(): void {
    if (this.#closed) return;
    this.letGo();
    this.#closed = true;
    this.#ending.abort();
    this.#statements.clear();
    closeQuietly(this.#opened.database);
  }

  #transact(work: () => void): void {
    const { database } = this.#opened;
    this.prepare('BEGIN IMMEDIATE').run();
    try {
      work();
      this.prepare('COMMIT').run();
    } catch (error) {
      rollBack(database);
      throw error;
    }
  }

  #checkpointWhenQuiet(): void {
    if (this.#awaitingQuiet || !this.#opened.onDisk || this.#closed) return;
    this.#awaitingQuiet = true;
    this.#clock.sleep(quietMs, this.#ending.signal).then(
      () => {
        this.#awaitingQuiet = false;
        if (this.#clock.ticks() - this.#wroteAt < quietMs) this.#checkpointWhenQuiet();
        else this.read(() => this.#opened.database.exec('PRAGMA wal_checkpoint(PASSIVE)'), undefined);
      },
      () => {},
    );
  }

  #mended(): void {
    if (this.#problem?.code === 'history-not-written') this.#problem = null;
  }

  #failed(error: unknown): void {
    if (saysDamaged(error) && this.#opened.onDisk && !this.#readOnly) {
      this.#renew(error);
      return;
    }
    const waiting = this.#writers.reduce((sum, writer) => sum + writer.pending(), 0);
    this.#problem = {
      code: 'history-not-written',
      text: `The request history can’t be written: ${reasonOf(error)}. ${waiting} rows wait in memory.`,
      mend:
        'See that the disk is not full and that no other program holds history.db. Writing is tried again by ' +
        'itself.',
    };
    const ticks = this.#clock.ticks();
    if (this.#saidAt === null || ticks - this.#saidAt >= sayAgainMs) {
      this.#saidAt = ticks;
      this.#log.write('error', 'history-not-written', { why: reasonOf(error), waiting });
    }
    this.#retry();
  }

  #retry(): void {
    if (this.#retrying || this.#readOnly || this.#closed) return;
    this.#retrying = true;
    this.#clock.sleep(retryMs, this.#ending.signal).then(
      () => {
        this.#retrying = false;
        this.flush();
      },
      () => {},
    );
  }

  /** The file went bad under us: keep it, start anew with what is known. */
  #renew(error: unknown): void {
    this.#statements.clear();
    closeQuietly(this.#opened.database);
    this.#opened = openDatabase(historyForm, this.#path, { now: this.#clock.now(), damaged: error });
    this.#problem = this.#opened.warnings.at(-1) ?? null;
    // Nothing more of this process comes into a file: what a later owner would read there grows old.
    if (!this.onDisk) this.#journal.remove();
    this.#log.write('error', 'history-damaged', { file: basename(this.#path), text: this.#problem?.text });
    for (const writer of this.#writers) {
      try {
        writer.renewed();
      } catch (cause) {
        this.#log.write('error', 'history-not-written', { why: reasonOf(cause) });
      }
    }
    this.schedule();
  }
}

function rollBack(database: DatabaseSync): void {
  try {
    if (database.isTransaction) database.exec('ROLLBACK');
  } catch {
    // The error that led here says more.
  }
}
