import { closeSync, existsSync, mkdirSync, openSync, readSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Problem } from '../api/call.ts';
import type { Message } from '../language/messages.ts';
import { t, translated } from '../language/translate.ts';
import { readOnlyFile } from '../ports.ts';
import { dayStamp, keepAside } from '../settings/files.ts';
import { DamagedError, reasonOf, saysDamaged, saysForeign } from './sqlite-error.ts';

/** What sort of database a file holds, and how it is spoken of. */
export interface DatabaseForm {
  /** See `schema.ts`: one for each version. */
  steps: readonly string[];
  /** What the first step makes; a file of an earlier version is kept aside. Absent: 1. */
  firstVersion?: number;
  /** Tables that have to be there; those of another program under our version are found by it. */
  tables: readonly string[];
  /** Begins the code of every problem. */
  code: string;
  /** Begins a sentence: `The request history`. */
  title: Message;
  /** What a database in memory means. */
  inMemory: Message;
  /** Deleted rows are written over, so that nothing of them can be read in the file. Costs a write per page. */
  erasesDeleted?: boolean;
}

export interface OpenedDatabase {
  database: DatabaseSync;
  /** False: it lives in memory, because the file cannot be used. */
  onDisk: boolean;
  warnings: Problem[];
}

class NewerError extends Error {
  readonly version: number;
  constructor(version: number) {
    super(`version ${version} of the schema`);
    this.version = version;
  }
}

/** The version that the last step makes. Exported for tests. */
export function newestVersion({ steps, firstVersion = 1 }: Pick<DatabaseForm, 'steps' | 'firstVersion'>): number {
  return firstVersion + steps.length - 1;
}

/** Belong to the file as long as it is not checkpointed; SQLite finds them by name. */
export const siblings = ['-wal', '-shm'] as const;
/**
 * Up to this size the whole file is checked at the start (measured: 0.7 ms per MB); damage in a bigger one shows when
 * it is met.
 */
const checkedBytes = 32_000_000;
/**
 * Pages of 4 kB in the log of changes that force a checkpoint in the middle of the work; the store does it earlier,
 * when it is quiet.
 */
const checkpointPages = 8_000;
/** How long another process may hold the file while we open it, in ms. */
const patienceMs = 1_000;
/** Used later on, because waiting blocks the event loop. */
const shortPatienceMs = 100;

/**
 * Opens or makes the database and brings it to the newest schema. Never throws. What cannot be used is kept aside,
 * never deleted; where no file can be used at all the database is in memory. `readOnly` is for a second process: it
 * changes, moves and makes nothing. `damaged` is the error of a file that went bad after it was opened: it is kept
 * aside unseen.
 */
export function openDatabase(
  form: DatabaseForm,
  path: string,
  options: { now: number; readOnly?: boolean; damaged?: unknown },
): OpenedDatabase {
  const warnings: Problem[] = [];
  if (options.readOnly) return openForReading(form, path);
  if (options.damaged !== undefined) {
    const warning = keepUnusable(form, path, options.damaged, options.now);
    if (!warning) return inMemory(form, path, options.damaged, warnings);
    warnings.push(warning);
  }
  // Once more after something was kept aside.
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      return { database: openFile(form, path), onDisk: true, warnings };
    } catch (error) {
      const warning = attempt === 0 ? keepUnusable(form, path, error, options.now) : null;
      if (!warning) return inMemory(form, path, error, warnings);
      warnings.push(warning);
    }
  }
  return inMemory(form, path, new Error('the file can’t be made anew'), warnings);
}

function openFile(form: DatabaseForm, path: string): DatabaseSync {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  // SQLite gives -wal and -shm the mode of the file.
  closeSync(openSync(path, 'a', 0o600));
  refuseOtherFile(path);
  const isNew = statSync(path).size === 0;
  const database = new DatabaseSync(path, { timeout: patienceMs });
  try {
    const version = versionOf(database);
    if (version > newestVersion(form)) throw new NewerError(version);
    if (version > 0 && version < (form.firstVersion ?? 1)) {
      throw new DamagedError(`its schema is of version ${version}, which no Jumpseat reads any more`);
    }
    check(database, path);
    // Nothing can be lost of a new file: its start waits for no disk.
    database.exec(`PRAGMA synchronous = ${isNew ? 'OFF' : 'NORMAL'}; PRAGMA journal_mode = WAL`);
    database.exec(`PRAGMA journal_size_limit = 8000000; PRAGMA wal_autocheckpoint = ${checkpointPages}`);
    if (isNew) migrate(database, version, form);
    else migrateFile(database, form, version, path);
    database.exec('PRAGMA synchronous = NORMAL');
    // Tables of another program under our version are found here.
    database.prepare(`SELECT 1 FROM ${form.tables.join(', ')}`);
    if (form.erasesDeleted === true) database.exec('PRAGMA secure_delete = ON');
    database.exec(`PRAGMA busy_timeout = ${shortPatienceMs}`);
    return database;
  } catch (error) {
    closeQuietly(database);
    throw error;
  }
}

function openForReading(form: DatabaseForm, path: string): OpenedDatabase {
  if (!existsSync(path)) return { database: emptyDatabase(form), onDisk: false, warnings: [] };
  let database: DatabaseSync | null = null;
  try {
    refuseOtherFile(path);
    database = new DatabaseSync(path, { timeout: patienceMs, readOnly: true });
    const version = versionOf(database);
    if (version > newestVersion(form)) throw new NewerError(version);
    if (version < newestVersion(form))
      throw new Error(
        statSync(path).size === 0
          ? 'the file is empty, perhaps because the disk is full'
          : 'it is from an older version',
      );
    return { database, onDisk: true, warnings: [] };
  } catch (error) {
    if (database) closeQuietly(database);
    return { database: emptyDatabase(form), onDisk: false, warnings: [unreadableFile(form, error)] };
  }
}

/** For a process that changes nothing: the one that owns the folder sets the file right. */
export function unreadableFile(form: DatabaseForm, error: unknown): Problem {
  return {
    code: `${form.code}-unreadable`,
    text: t('{record} can’t be read: {why}.', { record: translated(form.title), why: reasonOf(error) }),
    remedy: t('Start Jumpseat; it repairs the file or moves it aside.'),
  };
}

/** What a step takes out is gone from the file as well: it is written over, in the log of changes, too. */
function migrateFile(database: DatabaseSync, form: DatabaseForm, version: number, path: string): void {
  if (version === newestVersion(form)) return;
  database.exec('PRAGMA secure_delete = ON');
  migrate(database, version, form);
  // Rows that were deleted before may stand in unused pages.
  if (statSync(path).size <= checkedBytes) database.exec('VACUUM');
  database.exec('PRAGMA wal_checkpoint(TRUNCATE); PRAGMA secure_delete = OFF');
}

/** Runs the steps from `version` on. Exported for the tests of the steps. */
export function migrate(
  database: DatabaseSync,
  version: number,
  { steps, firstVersion = 1 }: Pick<DatabaseForm, 'steps' | 'firstVersion'>,
): void {
  for (const [index, step] of steps.entries()) {
    const made = firstVersion + index;
    if (made <= version) continue;
    database.exec('BEGIN IMMEDIATE');
    try {
      // Another process may have run it since.
      if (versionOf(database) >= made) {
        database.exec('ROLLBACK');
        continue;
      }
      database.exec(step);
      database.exec(`PRAGMA user_version = ${made}`);
      database.exec('COMMIT');
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK');
      throw error;
    }
  }
}

/** A database of the newest schema that is gone when it is closed. */
function emptyDatabase(form: DatabaseForm): DatabaseSync {
  const database = new DatabaseSync(':memory:');
  migrate(database, 0, form);
  return database;
}

/** Closing a database that was closed already is not an error. */
export function closeQuietly(database: DatabaseSync): void {
  try {
    database.close();
  } catch {
    // It was closed, or its file is gone.
  }
}

/** Looked at before SQLite does: it would throw the -wal of such a file away, with what was not in the file yet. */
function refuseOtherFile(path: string): void {
  const file = openSync(path, 'r');
  try {
    const beginning = Buffer.alloc(16);
    const length = readSync(file, beginning);
    if (length > 0 && beginning.toString('latin1', 0, length) !== 'SQLite format 3\0') {
      throw new DamagedError('file is not a database');
    }
  } finally {
    closeSync(file);
  }
}

function versionOf(database: DatabaseSync): number {
  const version = database.prepare('PRAGMA user_version').get()?.user_version;
  return typeof version === 'number' ? version : 0;
}

/** The file as it is on the disk now, whatever who has it open remembers of it. Throws where it can't be read. */
export function checkFile(path: string): void {
  refuseOtherFile(path);
  const database = new DatabaseSync(path, { timeout: shortPatienceMs, readOnly: true });
  try {
    check(database, path);
  } finally {
    closeQuietly(database);
  }
}

function check(database: DatabaseSync, path: string): void {
  if (statSync(path).size > checkedBytes) return;
  const finding = database.prepare('PRAGMA quick_check(1)').get()?.quick_check;
  if (finding !== 'ok') throw new DamagedError(String(finding).split('\n')[0]);
}

/** Says what was kept aside, or null when the file is not at fault or cannot be renamed. */
function keepUnusable(form: DatabaseForm, path: string, error: unknown, now: number): Problem | null {
  const newer = error instanceof NewerError;
  if (!newer && !saysDamaged(error) && !saysForeign(error)) return null;
  try {
    const kept = basename(keepAside(path, newer ? `newer-${error.version}` : `damaged-${dayStamp(now)}`, siblings));
    return newer
      ? {
          code: `${form.code}-newer`,
          text: t(
            '{record} was written by a newer Jumpseat ({message}). It was renamed to {kept}; ' +
              'a new one was started.',
            { record: translated(form.title), message: error.message, kept },
          ),
          remedy: t('Update Jumpseat, then give {kept} its old name {name} again.', { kept, name: basename(path) }),
        }
      : {
          code: `${form.code}-damaged`,
          text: t('{record} was damaged ({why}). It was renamed to {kept}; a new one was started.', {
            record: translated(form.title),
            why: reasonOf(error),
            kept,
          }),
          remedy: t('Nothing has to be done. Delete {kept} when you don’t need it.', { kept }),
        };
  } catch {
    return null;
  }
}

function inMemory(form: DatabaseForm, path: string, error: unknown, warnings: Problem[]): OpenedDatabase {
  const readOnly = readOnlyFile(error, path);
  const remedy =
    readOnly?.remedy ?? t('Check that no other program uses {path} and that the disk is not full', { path });
  const problem: Problem = {
    code: `${form.code}-in-memory`,
    text: t('{record} can’t be saved: {why}. {inMemory}', {
      record: translated(form.title),
      why: readOnly?.why ?? reasonOf(error),
      inMemory: translated(form.inMemory),
    }),
    remedy: t('{remedy}, then start Jumpseat again.', { remedy }),
  };
  return { database: emptyDatabase(form), onDisk: false, warnings: [...warnings, problem] };
}
