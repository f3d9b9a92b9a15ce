import { basename } from 'node:path';
import type { StatementSync } from 'node:sqlite';
import type { Problem } from '../../api/call.ts';
import { type DatabaseDependencies, OwnedDatabase } from '../../database/owned-database.ts';
import { reasonOf, saysDamaged, sqliteCode } from '../../database/sqlite-error.ts';
import { t } from '../../language/translate.ts';
import type { Clock, Log } from '../../ports.ts';
import { sessionsForm } from './schema.ts';
import { SessionStoreError } from './store-error.ts';

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
