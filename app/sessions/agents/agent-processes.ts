import { execFile } from 'node:child_process';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { promisify } from 'node:util';
import pLimit from 'p-limit';
import type { Clock } from '../../ports.ts';
import { processStart, statFields } from '../../processes/process-start.ts';

/** Processes that agents start: how what is left of them is found and ended, and how much memory they hold. */

type Waits = Pick<Clock, 'sleep'>;

/**
 * Everything that an agent starts inherits this variable: `<pid>.<start>` of the Jumpseat that started it, a number of
 * its own, and one more for a part of it. So what is left when a process was killed is found, in whichever group it is
 * and whichever process adopted it.
 */
export const markVariable = 'JUMPSEAT_AGENT';

const politeMs = 1_500;
const pollMs = 50;
const rounds = 3;
const run = promisify(execFile);

interface Marked {
  pid: number;
  mark: string;
}

let lastNumber = 0;

/** For one process of an agent. Null if start times of processes are unknown here; then nothing is marked. */
export async function newMark(): Promise<string | null> {
  const start = await startOf(process.pid);
  lastNumber += 1;
  return start === null ? null : `${process.pid}.${start}.${lastNumber}`;
}

/**
 * Ends what has this mark, parts included: asked first, outright after that. Resolves when it is gone, or cannot be
 * ended.
 */
export async function endMarked(mark: string, clock: Waits): Promise<void> {
  await endAll((one) => one.mark === mark || one.mark.startsWith(`${mark}.`), clock);
}

/**
 * Ends what the agents of other Jumpseats left, which are gone. A Jumpseat that runs keeps its own.
 * @returns how many processes that were
 */
export async function sweepLeftOvers(clock: Waits): Promise<number> {
  const found = await markedProcesses();
  const marks = new Set<string>();
  for (const { pid, mark } of found) if (await sharesNumbers(pid)) marks.add(mark);
  const orphaned = new Set<string>();
  for (const mark of marks) if (!(await isOwnerAlive(mark))) orphaned.add(mark);
  if (orphaned.size === 0) return 0;
  await endAll((one) => orphaned.has(one.mark), clock);
  return found.filter(({ mark }) => orphaned.has(mark)).length;
}

async function endAll(isMeant: (one: Marked) => boolean, clock: Waits): Promise<void> {
  const left = async (): Promise<number[]> => (await markedProcesses()).filter(isMeant).map(({ pid }) => pid);
  let pids = await left();
  for (const pid of pids) signal(pid, 'SIGTERM');
  for (let waited = 0; pids.length > 0 && waited < politeMs; waited += pollMs) {
    await clock.sleep(pollMs);
    pids = await left();
  }
  // What was started meanwhile has the mark too.
  for (let round = 0; pids.length > 0 && round < rounds; round += 1) {
    for (const pid of pids) signal(pid, 'SIGKILL');
    await clock.sleep(pollMs);
    pids = await left();
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // Gone, or of another user.
  }
}

/** False for a process in a container: its mark names its owner by a number that another process has here. */
async function sharesNumbers(pid: number): Promise<boolean> {
  const [here, there] = await Promise.all(
    ['self', pid].map((process) => readlink(`/proc/${process}/ns/pid`).catch(() => null)),
  );
  return here === there;
}

async function isOwnerAlive(mark: string): Promise<boolean> {
  const [pid = '', start = ''] = mark.split('.');
  // One that was killed keeps its number and start until its parent has looked.
  if (process.platform === 'linux' && (await isZombie(pid))) return false;
  return (await startOf(Number(pid))) === start;
}

/** There may be thousands of processes, and a process may open a thousand files, or fewer. */
const readAtOnce = 8;

/** All of this user's, but never this one. On Windows the environment of another process can't be read. */
async function markedProcesses(): Promise<Marked[]> {
  if (process.platform === 'linux') return markedInProc();
  return process.platform === 'win32' ? [] : markedByPs();
}

async function markedInProc(): Promise<Marked[]> {
  const pids = (await readdir('/proc').catch(() => [])).filter(
    (name) => /^\d+$/.test(name) && Number(name) !== process.pid,
  );
  const found = await pLimit(readAtOnce).map(pids, async (pid) => {
    // Those of other users can't be read, and what is gone meanwhile has none.
    const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '');
    const mark = markIn(environment.split('\0'));
    return mark === null || (await isZombie(pid)) ? [] : [{ pid: Number(pid), mark }];
  });
  return found.flat();
}

async function markedByPs(): Promise<Marked[]> {
  const { stdout } = await run('ps', ['-Aww', '-E', '-o', 'pid=,stat=,command='], {
    maxBuffer: 64 * 1024 * 1024,
  }).catch(() => ({ stdout: '' }));
  return stdout.split('\n').flatMap((line) => {
    const [, pid = '', state = '', rest = ''] = /^\s*(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    const mark = markIn(rest.split(' '));
    return mark === null || state.startsWith('Z') || Number(pid) === process.pid ? [] : [{ pid: Number(pid), mark }];
  });
}

function markIn(variables: readonly string[]): string | null {
  const found = variables.find((variable) => variable.startsWith(`${markVariable}=`));
  const mark = found?.slice(markVariable.length + 1) ?? '';
  return /^\d+\.\d+\.\d+(\.\d+)?$/.test(mark) ? mark : null;
}

/** When a process began, in digits as a mark holds it. Null on Windows, where no mark is ever found. */
async function startOf(pid: number): Promise<string | null> {
  const start = process.platform === 'win32' ? null : await processStart(pid);
  return start === null || /^\d+$/.test(start) ? start : digitsOf(start);
}

function digitsOf(date: string): string | null {
  const at = Date.parse(`${date} UTC`);
  return Number.isNaN(at) ? null : String(at);
}

async function isZombie(pid: string): Promise<boolean> {
  return statFields(await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => ''))?.state === 'Z';
}

const ask = promisify(execFile);
/** A system that does not answer is not waited for, in ms. */
const answersWithinMs = 2_000;

/** Memory of a process in bytes; null if it is gone, or this system doesn't report it. Never rejects. */
export async function processMemory(pid: number): Promise<number | null> {
  try {
    if (process.platform === 'linux')
      return kilobytes(/^VmRSS:\s*(\d+)/m, await readFile(`/proc/${pid}/status`, 'utf8'));
    if (process.platform !== 'darwin') return null;
    const { stdout } = await ask('/bin/ps', ['-o', 'rss=', '-p', String(pid)], { timeout: answersWithinMs });
    return kilobytes(/^\s*(\d+)/, stdout);
  } catch {
    return null;
  }
}

function kilobytes(pattern: RegExp, text: string): number | null {
  const count = Number(pattern.exec(text)?.[1]);
  return Number.isNaN(count) ? null : count * 1024;
}
