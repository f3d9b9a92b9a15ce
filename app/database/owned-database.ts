import { closeSync, openSync, rmSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Problem } from '../api/call.ts';
import { t, translated } from '../language/translate.ts';
import type { Clock, Log } from '../ports.ts';
import {
  checkFile,
  closeQuietly,
  type DatabaseForm,
  type OpenedDatabase,
  openDatabase,
  siblings,
} from './open-database.ts';
import { reasonOf } from './sqlite-error.ts';

export interface DatabaseDependencies {
  clock: Clock;
  log: Log;
  /** A second process beside the one that owns the folder: it changes and moves nothing. */
  readOnly?: boolean;
  /** Whether another process owns the folder now: then nothing is changed or moved until `own`. */
  isOwnedElsewhere?: () => boolean;
  /** Called when something is wrong with the file that wasn't before. */
  warned?: (() => void) | undefined;
}

/**
 * So long after the last write the log of changes goes into the file, which waits for the disk (measured: 5 to 100 ms).
 */
const quietMs = 3_000;

/**
 * A database of ours, and whether this process may change it. The file under it can be replaced: when it turns out
 * damaged, and when this process becomes its owner. What follows from a failure is for the store above it.
 */
export class OwnedDatabase {
  readonly #form: DatabaseForm;
  readonly #path: string;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #mayOwn: boolean;
  readonly #warned: () => void;
  readonly #checkpointFailed: (error: unknown) => void;
  readonly #statements = new Map<string, StatementSync>();
  readonly #ending = new AbortController();
  /** A field, since it is asked again and again for each request. */
  isClosed = false;
  /** Aborted when it is closed. */
  readonly closing = this.#ending.signal;
  #readOnly: boolean;
  #opened: OpenedDatabase;
  /** Identity of the file, whatever has its name now. */
  #file: bigint | null = null;
  #awaitingQuiet = false;
  #wroteAt = 0;

  /** @param checkpointFailed is told why the log of changes could not go into the file; must not throw */
  constructor(
    form: DatabaseForm,
    path: string,
    dependencies: DatabaseDependencies,
    checkpointFailed: (error: unknown) => void,
  ) {
    this.#form = form;
    this.#path = path;
    this.#clock = dependencies.clock;
    this.#log = dependencies.log;
    this.#warned = dependencies.warned ?? (() => {});
    this.#mayOwn = dependencies.readOnly !== true;
    this.#readOnly = !this.#mayOwn || dependencies.isOwnedElsewhere?.() === true;
    this.#checkpointFailed = checkpointFailed;
    this.#opened = this.#open();
    this.logWarnings();
  }

  /**
   * Called when this process owns the folder from now on. Returns true if the file was opened anew, because another
   * process owned it before, or because it couldn't be used then.
   */
  own(): boolean {
    if (!this.#mayOwn || this.isClosed) return false;
    if (!this.#readOnly) return this.tryFile();
    this.#letGo();
    this.#readOnly = false;
    this.#opened = this.#open();
    this.logWarnings();
    return true;
  }

  /** Goes over to the file where it couldn't be used before and can be now. What is in memory stays there. */
  tryFile(): boolean {
    if (this.onDisk || !this.mayWrite || !this.#isEmpty()) return false;
    const before = this.#opened;
    this.#opened = this.#open();
    const left = this.onDisk ? before : this.#opened;
    this.#opened = this.onDisk ? this.#opened : before;
    this.#statements.clear();
    closeQuietly(left.database);
    if (this.onDisk) this.logWarnings();
    return this.onDisk;
  }

  /** Nothing was recorded: `meta` has what each database begins with. */
  #isEmpty(): boolean {
    const { database } = this.#opened;
    const tables = this.#form.tables.filter((table) => table !== 'meta');
    return tables.every((table) => database.prepare(`SELECT 1 FROM ${table} LIMIT 1`).get() === undefined);
  }

  /** The file went bad under us: it is kept aside and a new one begun. */
  renew(damaged: unknown): void {
    this.#letGo();
    this.#opened = this.#open(damaged);
  }

  /** The file was deleted, or another one has its name: what is written comes into no file that can be found. */
  get isGone(): boolean {
    if (this.#file === null || !this.mayWrite) return false;
    const now = fileAt(this.#path);
    return now !== undefined && now !== this.#file;
  }

  /**
   * Goes on in the file of that name, or in a new one.
   *
   * @param what says, for a person, what is in it of the one that is gone; given whether all of it is.
   * @param copies brings all of it into the new one, where the name is free: it takes its time with a big one.
   */
  replaceGone(what: (isWhole: boolean) => string, copies = false): void {
    // A file that was only moved has all of it, and nothing of it comes into another one.
    this.checkpoint();
    const isWhole = copies && fileAt(this.#path) === null && this.#copyTo(this.#path);
    this.#letGo();
    if (!isWhole && fileAt(this.#path) === null)
      for (const sibling of siblings) rmSync(this.#path + sibling, { force: true });
    this.#opened = this.#open();
    this.#opened.warnings.unshift({
      code: `${this.#form.code}-gone`,
      text: t('{record} was deleted or moved while Jumpseat ran ({name}). {what}', {
        record: translated(this.#form.title),
        name: basename(this.#path),
        what: what(isWhole),
      }),
      remedy: t('Quit Jumpseat before you move or delete its files.'),
    });
    this.logWarnings();
  }

  /** What is open has all of it, though its file has no name any more. */
  #copyTo(path: string): boolean {
    try {
      for (const sibling of siblings) rmSync(path + sibling, { force: true });
      closeSync(openSync(path, 'wx', 0o600));
      this.prepare('VACUUM INTO ?').run(path);
      return true;
    } catch (error) {
      this.#log.write('warn', `${this.#form.code}-not-copied`, { why: reasonOf(error) });
      return false;
    }
  }

  /** Looks at the file itself. Throws where it can't be read. */
  checkFile(): void {
    if (this.onDisk && !this.isClosed) checkFile(this.#path);
  }

  logWarnings(): void {
    for (const { code, text } of this.warnings) this.#log.write('warn', code, { text });
    if (this.warnings.length > 0) this.#warned();
  }

  /** What was in the way when it was opened. */
  get warnings(): Problem[] {
    return this.#opened.warnings;
  }

  /** False: it lives in memory, because the file cannot be used. */
  get onDisk(): boolean {
    return this.#opened.onDisk;
  }

  /** True if another process may own the file. */
  get isReadOnly(): boolean {
    return this.#readOnly;
  }

  get mayWrite(): boolean {
    return !this.#readOnly && !this.isClosed;
  }

  /** Why it lives in memory; null if it is on disk. */
  get openingProblem(): Problem | null {
    return this.onDisk ? null : (this.warnings.at(-1) ?? null);
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

  get isInTransaction(): boolean {
    return this.#opened.database.isTransaction;
  }

  /** Makes one change, whole or not at all. Throws what was in its way. */
  transact<Made>(work: () => Made): Made {
    const { database } = this.#opened;
    this.prepare('BEGIN IMMEDIATE').run();
    try {
      const made = work();
      this.prepare('COMMIT').run();
      return made;
    } catch (error) {
      rollBack(database);
      throw error;
    }
  }

  /** Something was written: once nothing was for a while, the log of changes goes into the file. */
  wrote(): void {
    this.#wroteAt = this.#clock.ticks();
    this.#checkpointWhenQuiet();
  }

  #checkpointWhenQuiet(): void {
    if (this.#awaitingQuiet || !this.onDisk || this.isClosed) return;
    this.#awaitingQuiet = true;
    this.#clock.sleep(quietMs, this.closing).then(
      () => {
        this.#awaitingQuiet = false;
        if (this.#clock.ticks() - this.#wroteAt < quietMs) this.#checkpointWhenQuiet();
        else this.checkpoint();
      },
      () => {},
    );
  }

  /** Brings the log of changes into the file. Where deleted rows are erased, the log is emptied: it has them too. */
  checkpoint(): void {
    if (this.isClosed || !this.onDisk) return;
    try {
      this.#opened.database.exec(
        `PRAGMA wal_checkpoint(${this.#form.erasesDeleted === true ? 'TRUNCATE' : 'PASSIVE'})`,
      );
    } catch (error) {
      this.#checkpointFailed(error);
    }
  }

  /** Nothing can be asked afterwards. */
  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.#ending.abort();
    this.#letGo();
  }

  #open(damaged?: unknown): OpenedDatabase {
    const options = { now: this.#clock.now(), readOnly: this.#readOnly, damaged };
    const opened = openDatabase(this.#form, this.#path, options);
    this.#file = (opened.onDisk && fileAt(this.#path)) || null;
    return opened;
  }

  #letGo(): void {
    this.#statements.clear();
    closeQuietly(this.#opened.database);
  }
}

function rollBack(database: DatabaseSync): void {
  try {
    if (database.isTransaction) database.exec('ROLLBACK');
  } catch {
    // The error that led here says more.
  }
}

/** Null if there is none. Undefined if that is unknown, as on a disk that doesn't answer. */
function fileAt(path: string): bigint | null | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false })?.ino ?? null;
  } catch {
    return undefined;
  }
}
