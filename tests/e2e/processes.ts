import { readdirSync, readFileSync } from 'node:fs';

/** The processes of a program that was started with `JUMPSEAT_HOME=home`, its helpers among them. Linux only. */
export function processesOf(home: string): number[] {
  return numbers().filter(
    (pid) => read(`/proc/${pid}/environ`).split('\0').includes(`JUMPSEAT_HOME=${home}`) && !isDead(pid),
  );
}

/** A process and all that it started, directly or not. */
export function withDescendants(pid: number): number[] {
  const parents = new Map(numbers().map((each) => [each, parentOf(each)]));
  const found = [pid];
  for (const each of found) for (const [child, parent] of parents) if (parent === each) found.push(child);
  return found;
}

/** Those of the given that still run. */
export function stillRunning(pids: readonly number[]): number[] {
  return pids.filter((pid) => read(`/proc/${pid}/stat`) !== '' && !isDead(pid));
}

/** Resident memory in MiB, shared pages counted once per process, or by their share (`Pss`). */
export function residentMiB(pid: number, kind: 'Rss' | 'Pss'): number {
  const match = new RegExp(`^${kind}:\\s+(\\d+) kB`, 'm').exec(read(`/proc/${pid}/smaps_rollup`));
  return Number(match?.[1] ?? 0) / 1024;
}

export const commandLine = (pid: number): string[] => read(`/proc/${pid}/cmdline`).split('\0').filter(Boolean);

const numbers = (): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);

/** State and parent stand behind the name, which may hold anything. */
const facts = (pid: number): string[] => read(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ') ?? [];
const isDead = (pid: number): boolean => ['Z', 'X'].includes(facts(pid)[0] ?? 'X');
const parentOf = (pid: number): number => Number(facts(pid)[1]);

/** Empty for a process that has ended, or is another person's. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
