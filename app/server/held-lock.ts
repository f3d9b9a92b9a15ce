import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { reasonOf, sqliteCode } from '../database/sqlite-error.ts';

/**
 * `taken`: by another process, or by another holder in this one. `impossible`: the file system has no locks, or the
 * file is none that can be locked.
 */
export type HeldLock = { kind: 'held'; release: () => void } | { kind: 'taken' } | { kind: 'impossible'; why: string };

const busy = 5;
const locked = 6;

/**
 * Takes a lock of the system's on a file, without waiting. A process keeps it while it is stopped or asleep, and loses
 * it when it ends, however it ends. SQLite takes it the same way on every system, Node does not. Throws where the
 * file cannot be made.
 */
export function holdLock(path: string): HeldLock {
  create(path);
  let database: DatabaseSync | null = null;
  try {
    database = new DatabaseSync(path, { timeout: 0 });
    database.exec('BEGIN EXCLUSIVE');
    return { kind: 'held', release: database.close.bind(database) };
  } catch (error) {
    database?.close();
    const code = sqliteCode(error);
    return code === busy || code === locked ? { kind: 'taken' } : { kind: 'impossible', why: reasonOf(error) };
  }
}

/**
 * SQLite would make it with another mode. One that is there is not opened: closing it again would drop the locks this
 * process has on it.
 */
function create(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}
