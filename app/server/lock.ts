import { closeSync, openSync, readFileSync, unlinkSync, writeSync } from 'node:fs';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';

/** Who owns a JUMPSEAT_HOME, as its `lock` file says. */
const ownerSchema = z.object({ pid: z.number().int(), port: z.number().int() });
export type LockOwner = z.infer<typeof ownerSchema>;

export type LockResult = { ok: true; release: () => void } | { ok: false; owner: LockOwner };

/** Two starts at once may both find a stale file; more rounds than this are a fault. */
const rounds = 5;
/** Between making the file and writing into it another process may look at it. */
const unwrittenMs = 50;
/** A Jumpseat on a machine that is busy is still one. Where nobody listens the answer comes at once. */
const answerMs = 5_000;

/**
 * Takes the folder for this process. A lock whose process is gone, or whose pid now belongs to a program that answers nothing on the
 * noted port, is stale and is replaced. Rejects where the folder cannot be written.
 */
export async function takeLock(path: string, owner: LockOwner): Promise<LockResult> {
  for (let round = 0; round < rounds; round += 1) {
    if (create(path, owner)) return { ok: true, release: () => release(path, owner) };
    const seen = textOf(path);
    const other = ownerIn(seen);
    if (other === null) await sleep(unwrittenMs);
    else if (isAlive(other.pid) && (other.pid === process.pid || (await answers(other.port))))
      return { ok: false, owner: other };
    // Somebody may have taken it meanwhile.
    if (textOf(path) === seen) remove(path);
  }
  throw new Error(`The lock ${path} could not be taken.`);
}

/** Null: nobody, or a file that says nothing. */
export function readLock(path: string): LockOwner | null {
  return ownerIn(textOf(path));
}

function ownerIn(text: string): LockOwner | null {
  try {
    const parsed = ownerSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** Empty where there is none. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function create(path: string, owner: LockOwner): boolean {
  let file: number;
  try {
    file = openSync(path, 'wx', 0o600);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
  try {
    writeSync(file, JSON.stringify(owner));
  } finally {
    closeSync(file);
  }
  return true;
}

function release(path: string, owner: LockOwner): void {
  const now = readLock(path);
  if (now?.pid === owner.pid && now.port === owner.port) remove(path);
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Somebody else was faster.
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Whether a Jumpseat answers there. */
export function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = request(
      { host: '127.0.0.1', port, path: '/healthz', timeout: answerMs, agent: false },
      (response) => {
        response.resume();
        resolve(response.statusCode === 200 && response.headers['x-jumpseat'] !== undefined);
      },
    );
    probe.on('timeout', () => probe.destroy());
    probe.on('error', () => resolve(false));
    probe.end();
  });
}
