import { basename } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Problem } from '../../api/problem.ts';
import { closeQuietly, type OpenedDatabase, openDatabase } from '../../database/open-database.ts';
import { reasonOf, saysDamaged, sqliteCode } from '../../database/sqlite-error.ts';
import type { Clock, Log } from '../../ports.ts';
import { sessionsForm } from './schema.ts';
import { SessionStoreError } from './store-error.ts';

export interface SessionStoreDependencies {
  clock: Clock;
  log: Log;
  /** A second process beside the one that owns the folder: it changes and moves nothing. */
  readOnly?: boolean;
  /** Whether another process owns the folder now: then nothing is changed or moved until `own`. */
  isOwnedElsewhere?: () => boolean;
}

/** So long after the last change the log of changes goes into the file, as in `app/history/store.ts`. */
const quietMs = 3_000;

/**
 * The one owner of sessions.db. A change is on disk when its call returns: what is announced afterwards outlives a
 * killed process. One that can't be made throws `SessionStoreError`, and nothing of it was made.
 */
export class SessionDatabase {
  readonly #path: string;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #mayOwn: boolean;
  readonly #statements = new Map<string, StatementSync>();
  readonly #ending = new AbortController();
  #readOnly: boolean;
  #opened: OpenedDatabase;
  #problem: Problem | null = null;
  #awaitingQuiet = false;
  #wroteAt = 0;
  #closed = false;

  constructor(path: string, dependencies: SessionStoreDependencies) {
    this.#path = path;
    this.#clock = dependencies.clock;
    this.#log = dependencies.log;
    this.#mayOwn = dependencies.readOnly !== true;
    this.#readOnly = !this.#mayOwn || dependencies.isOwnedElsewhere?.() === true;
    this.#opened = this.#open();
  }

  /** The folder is this process's from now on. True: the file was opened anew, since another one owned it before. */
  own(): boolean {
    if (!this.#readOnly || !this.#mayOwn || this.#closed) return false;
    this.#let();
    this.#readOnly = false;
    this.#opened = this.#open();
    return true;
  }

  #open(damaged?: unknown): OpenedDatabase {
    const now = this.#clock.now();
    const opened = openDatabase(sessionsForm, this.#path, { now, readOnly: this.#readOnly, damaged });
    this.#problem = opened.onDisk ? null : (opened.warnings.at(-1) ?? null);
    for (const { code, text } of opened.warnings) this.#log.write('warn', code, { text });
    return opened;
  }

  #let(): void {
    this.#statements.clear();
    closeQuietly(this.#opened.database);
  }

  get warnings(): Problem[] {
    return this.#opened.warnings;
  }

  get onDisk(): boolean {
    return this.#opened.onDisk;
  }

  get mayWrite(): boolean {
    return !this.#readOnly && !this.#closed;
  }

  /** What is wrong now: the last change could not be made, or the database lives in memory. */
  problem(): Problem | null {
    return this.#problem;
  }

  now(): number {
    return this.#clock.now();
  }

  /** The prepared statement, made once. It may not be kept: the database under it can be replaced. */
  prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#opened.database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  read<Found>(question: () => Found): Found {
    if (this.#closed) throw new SessionStoreError('it is closed');
    try {
      return question();
    } catch (error) {
      throw this.#failed(error);
    }
  }

  /** Makes one change, whole or not at all. Within another change it is a part of that one. */
  change<Made>(work: () => Made): Made {
    if (this.#closed) throw new SessionStoreError('it is closed');
    if (this.#readOnly) throw new SessionStoreError('another Jumpseat owns it');
    const { database } = this.#opened;
    if (database.isTransaction) return work();
    try {
      this.prepare('BEGIN IMMEDIATE').run();
      const made = work();
      this.prepare('COMMIT').run();
      if (this.#opened.onDisk) this.#problem = null;
      this.#checkpointWhenQuiet();
      return made;
    } catch (error) {
      rollBack(database);
      throw this.#failed(error);
    }
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#ending.abort();
    this.#let();
  }

  #checkpointWhenQuiet(): void {
    this.#wroteAt = this.#clock.ticks();
    if (this.#awaitingQuiet || !this.#opened.onDisk) return;
    this.#awaitingQuiet = true;
    void this.#checkpointSoon().catch(() => undefined);
  }

  async #checkpointSoon(): Promise<void> {
    do await this.#clock.sleep(quietMs, this.#ending.signal);
    while (this.#clock.ticks() - this.#wroteAt < quietMs);
    this.#awaitingQuiet = false;
    this.read(() => this.#opened.database.exec('PRAGMA wal_checkpoint(PASSIVE)'));
  }

  /** What to throw: an error of the caller's own is passed on as it is. */
  #failed(error: unknown): unknown {
    if (sqliteCode(error) === null) return error;
    const failed = new SessionStoreError(reasonOf(error), { cause: error });
    this.#log.write('error', 'sessions-not-written', { why: reasonOf(error) });
    if (saysDamaged(error) && this.#opened.onDisk && !this.#readOnly) {
      this.#let();
      this.#opened = this.#open(error);
      this.#log.write('error', 'sessions-damaged', { file: basename(this.#path) });
    } else {
      this.#problem = { code: 'sessions-not-written', text: failed.message, mend: failed.mend };
    }
    return failed;
  }
}

function rollBack(database: DatabaseSync): void {
  try {
    if (database.isTransaction) database.exec('ROLLBACK');
  } catch {
    // The error that led here says more.
  }
}
