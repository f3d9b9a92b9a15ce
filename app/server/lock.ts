import { closeSync, openSync, statSync, unlinkSync, writeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { reasonOf, sqliteCode } from '../database/sqlite-error.ts';
import { t } from '../language/translate.ts';
import { RemedyError } from '../ports.ts';
import { isRunning } from '../settings/files.ts';
import { type LockOwner, ownerIn, readLock, textOf, whoAnswers } from './who-answers.ts';

/**
 * `taken`: by another process, or by another holder in this one. `impossible`: the file system has no locks, or the
 * file is none that can be locked.
 */
type HeldLock = { kind: 'held'; release: () => void } | { kind: 'taken' } | { kind: 'impossible'; why: string };

const busy = 5;
const locked = 6;

/**
 * Takes a lock of the system's on a file, without waiting. A process keeps it while it is stopped or asleep, and loses
 * it when it ends, however it ends. SQLite takes it the same way on every system, Node does not. Throws where the
 * file cannot be made.
 */
function holdLock(path: string): HeldLock {
  // SQLite would make it with another mode. One that is there isn't opened: closing it would drop this process's locks.
  makeFile(path, '');
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

type LockResult =
  /** `unheld`: why the system holds no lock for it; null if it does. */
  | { ok: true; release: () => void; unheld: string | null }
  /** `owner` null if it does not say who it is. */
  | { ok: false; owner: LockOwner | null; isAnswering: boolean };

/** The lock is in the way and cannot be set right by itself. */
export class LockError extends RemedyError {
  override readonly name = 'LockError';
}

/** Two starts at once may both find a stale file; more rounds than this are a fault. */
const rounds = 5;
/** An owner that ends lets running answers finish first; for so many rounds it is waited for. */
const endingRounds = 300;
/** Between making the file and writing into it another process may look at it. */
const unwrittenMs = 50;

/** The file that the system's lock is on. `lock` itself says who holds it, to every program. */
const heldFile = (path: string): string => `${path}.held`;

/**
 * Takes the folder for this process. An owner that lives keeps it, also while it is stopped and answers nothing: the
 * system holds its lock. Without such a lock (an owner of an earlier version, a file system that has none) an owner
 * counts while it answers on the noted port. Who is about to end is waited for, while `isWanted`. Rejects with
 * `LockError`, or with Node's error where the folder cannot be written.
 */
export async function takeLock(path: string, owner: LockOwner, isWanted = () => true): Promise<LockResult> {
  refuseFolders(path, heldFile(path));
  let mine = 0;
  for (let round = 0; round < endingRounds && mine < rounds && isWanted(); round += 1) {
    const held = holdLock(heldFile(path));
    if (held.kind !== 'taken') mine += 1;
    const taken = held.kind === 'taken' ? await holderOf(path) : await takeFile(path, owner, held);
    if (taken !== null) return taken;
  }
  if (mine < rounds) return { ok: false, owner: readLock(path), isAnswering: false };
  throw new LockError(
    t('The lock {path} is in the way and can’t be replaced.', { path }),
    t('Delete it, then start Jumpseat again.'),
  );
}

/** The process that holds the system's lock. Null if it is about to start or to end. */
async function holderOf(path: string): Promise<LockResult | null> {
  const owner = readLock(path);
  const found = owner === null ? 'nobody' : owner.pid === process.pid ? 'jumpseat' : await whoAnswers(owner);
  if (found === 'jumpseat' || found === 'silence') return { ok: false, owner, isAnswering: found === 'jumpseat' };
  await sleep(unwrittenMs);
  return null;
}

/** Writes who we are, unless an owner without the system's lock still answers. Null: look again. */
async function takeFile(path: string, owner: LockOwner, held: HeldLock): Promise<LockResult | null> {
  const letGo = held.kind === 'held' ? held.release : () => undefined;
  try {
    if (makeFile(path, JSON.stringify(owner))) {
      const release = (): void => {
        removeOwn(path, owner);
        letGo();
      };
      return { ok: true, release, unheld: held.kind === 'impossible' ? held.why : null };
    }
  } catch (error) {
    letGo();
    throw error;
  }
  const seen = textOf(path);
  const other = ownerIn(seen);
  if (other === null) await sleep(unwrittenMs);
  else if (isRunning(other.pid) && (other.pid === process.pid || (await answers(other)))) {
    letGo();
    return { ok: false, owner: other, isAnswering: true };
  }
  // Another process may have taken it meanwhile.
  if (textOf(path) === seen) remove(path);
  letGo();
  return null;
}

/** For its owner, which the system's lock says it is: the file was damaged or deleted, and is written anew. */
export function renewLock(path: string, owner: LockOwner): void {
  const now = readLock(path);
  if (now?.pid === owner.pid && now.port === owner.port && now.secret === owner.secret) return;
  remove(path);
  makeFile(path, JSON.stringify(owner));
}

/** Whether a process that lives has the folder, stopped or not. */
export function isTaken(path: string): boolean {
  try {
    const held = holdLock(heldFile(path));
    if (held.kind === 'held') held.release();
    return held.kind === 'taken';
  } catch {
    return false;
  }
}

/** False: there is one already. */
function makeFile(path: string, content: string): boolean {
  let file: number;
  try {
    file = openSync(path, 'wx', 0o600);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
  try {
    writeSync(file, content);
  } finally {
    closeSync(file);
  }
  return true;
}

function removeOwn(path: string, owner: LockOwner): void {
  const now = readLock(path);
  if (now?.pid === owner.pid && now.port === owner.port) remove(path);
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Another process was faster.
  }
}

function refuseFolders(...paths: readonly string[]): void {
  for (const path of paths) {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true)
      throw new LockError(
        t('{path} is a folder; Jumpseat’s lock file has that name.', { path }),
        t('Move it away or delete it.'),
      );
  }
}

/** Whether the owner answers on its port. */
export async function answers(owner: LockOwner): Promise<boolean> {
  return (await whoAnswers(owner)) === 'jumpseat';
}
