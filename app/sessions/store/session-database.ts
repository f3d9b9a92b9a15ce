import { basename } from 'node:path';
import type { SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import type { Problem } from '../../api/call.ts';
import { type DatabaseDependencies, OwnedDatabase } from '../../database/owned-database.ts';
import { reasonOf, saysDamaged, sqliteCode, writeTrouble } from '../../database/sqlite-error.ts';
import { t } from '../../language/translate.ts';
import type { Clock, Log } from '../../ports.ts';
import { sessionsForm } from './schema.ts';

/** What a session needs kept could not be kept, or not be read. `message` says why, `remedy` what to do. */
export class SessionStoreError extends Error {
  override readonly name = 'SessionStoreError';
  readonly code = 'sessions-not-written';
  readonly remedy: string;
  constructor(why: string, options?: { cause?: unknown }) {
    super(t('The record of sessions can’t be used: {why}.', { why }), options);
    this.remedy = t('{remedy}, then try again.', { remedy: writeTrouble(options?.cause, 'sessions.db').remedy });
  }
}

/** Values of a row as they are read: a row of a newer or damaged file may hold anything. */
export type Row = Record<string, SQLOutputValue>;

export function text(value: SQLOutputValue | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

export function figure(value: SQLOutputValue | undefined): number | null {
  return typeof value === 'number' ? value : null;
}

/** What was kept as JSON; `otherwise` where it can't be read as such. */
export function json(value: SQLOutputValue | undefined, otherwise: unknown = null): unknown {
  if (typeof value !== 'string') return otherwise;
  try {
    return JSON.parse(value);
  } catch {
    return otherwise;
  }
}

export function texts(value: SQLOutputValue | undefined): string[] {
  const read = json(value, []);
  return Array.isArray(read) ? read.filter((one) => typeof one === 'string') : [];
}

/** A value for a column: true and false are 1 and 0, and what SQLite has no type for is JSON. */
export function toColumn(value: unknown): SQLInputValue {
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') return value;
  return JSON.stringify(value);
}

/**
 * The one owner of sessions.db. A change is on disk when its call returns: what is announced afterwards outlives a
 * killed process. One that can't be made throws `SessionStoreError`, and nothing of it was made.
 */
export class SessionDatabase {
  readonly #path: string;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #warned: () => void;
  readonly #database: OwnedDatabase;
  #problem: Problem | null;

  constructor(path: string, dependencies: DatabaseDependencies) {
    this.#path = path;
    this.#clock = dependencies.clock;
    this.#log = dependencies.log;
    this.#warned = dependencies.warned ?? (() => {});
    this.#database = new OwnedDatabase(sessionsForm, path, dependencies, (error) => this.#failed(error));
    this.#problem = this.#database.openingProblem;
  }

  /** The folder is this process's from now on. True: the file was opened anew, since another one owned it before. */
  own(): boolean {
    if (!this.#database.own()) return false;
    this.#problem = this.#database.openingProblem;
    return true;
  }

  get warnings(): Problem[] {
    return this.#database.warnings;
  }

  get onDisk(): boolean {
    return this.#database.onDisk;
  }

  get mayWrite(): boolean {
    return this.#database.mayWrite;
  }

  /** What is wrong now: the last change could not be made, or the database lives in memory. */
  problem(): Problem | null {
    this.#lookAtFile();
    return this.#problem;
  }

  now(): number {
    return this.#clock.now();
  }

  /** The prepared statement, made once. It may not be kept: the database under it can be replaced. */
  prepare(sql: string): StatementSync {
    return this.#database.prepare(sql);
  }

  read<Found>(question: () => Found): Found {
    if (this.#database.isClosed) throw new SessionStoreError('it is closed');
    try {
      return question();
    } catch (error) {
      throw this.#failed(error);
    }
  }

  /** Makes one change, whole or not at all. Within another change it is a part of that one. */
  change<Made>(work: () => Made): Made {
    if (this.#database.isClosed) throw new SessionStoreError('it is closed');
    if (this.#database.isReadOnly) throw new SessionStoreError('another Jumpseat owns it');
    if (this.#database.isInTransaction) return work();
    this.#lookAtFile();
    try {
      const made = this.#database.transact(work);
      if (this.onDisk) this.#problem = null;
      this.#database.wrote();
      return made;
    } catch (error) {
      throw this.#failed(error);
    }
  }

  all(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.read(() => this.prepare(sql).all(...values));
  }

  first(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.read(() => this.prepare(sql).get(...values));
  }

  /** Makes one change. Returns how many rows it changed. */
  run(sql: string, ...values: SQLInputValue[]): number {
    return this.change(() => Number(this.prepare(sql).run(...values).changes));
  }

  /** What was deleted is gone from the log of changes, too. */
  emptyLog(): void {
    this.#database.checkpoint();
  }

  close(): void {
    this.#database.close();
  }

  /** Where a person deleted or moved the file, all of it comes into a new one. */
  #lookAtFile(): void {
    if (this.#database.isInTransaction || !this.#database.isGone) return;
    this.#database.replaceGone(
      (isWhole) =>
        isWhole ? t('It was written again with everything in it.') : t('Jumpseat continues with a new file.'),
      true,
    );
    this.#problem = this.#database.openingProblem;
  }

  /** What to throw: an error of the caller's own is passed on as it is. */
  #failed(error: unknown): unknown {
    if (sqliteCode(error) === null) return error;
    const failed = new SessionStoreError(reasonOf(error), { cause: error });
    this.#warned();
    this.#log.write('error', 'sessions-not-written', { why: reasonOf(error) });
    if (saysDamaged(error) && this.onDisk && !this.#database.isReadOnly) {
      this.#database.renew(error);
      this.#database.logWarnings();
      this.#problem = this.#database.openingProblem;
      this.#log.write('error', 'sessions-damaged', { file: basename(this.#path) });
    } else {
      this.#problem = { code: 'sessions-not-written', text: failed.message, remedy: failed.remedy };
    }
    return failed;
  }
}

/** Rows of one kind in sessions.db. */
export class Table {
  protected readonly database: SessionDatabase;
  constructor(database: SessionDatabase) {
    this.database = database;
  }
}
