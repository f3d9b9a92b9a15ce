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

/** Resident memory of one process in MiB, with all that it shares. */
export function residentMiB(pid: number): number {
  const match = /^Rss:\s+(\d+) kB/m.exec(read(`/proc/${pid}/smaps_rollup`));
  return Number(match?.[1] ?? 0) / 1024;
}

/**
 * Resident memory of the processes of one program in MiB: what they share among themselves counts once, what they share
 * with the rest of the desktop (the system's libraries) by their share. The kernel's sum of shares (Pss) would be the
 * same, but falls when another program runs from the same folder.
 */
export function residentTogetherMiB(pids: readonly number[], folder: string): number {
  let sum = 0;
  const shared = new Map<string, number>();
  for (const { start, offset, file, kiB } of pids.flatMap(mappings)) {
    if (file.startsWith('/') && !file.startsWith(`${folder}/`)) {
      sum += kiB('Pss');
      continue;
    }
    sum += kiB('Private_Clean') + kiB('Private_Dirty');
    // The same place in two processes: the same part of a file, or memory that one was forked with.
    const place = file.startsWith('/') ? `${file}:${offset}` : start;
    shared.set(place, Math.max(shared.get(place) ?? 0, kiB('Shared_Clean') + kiB('Shared_Dirty')));
  }
  for (const each of shared.values()) sum += each;
  return sum / 1024;
}

/** What a process has mapped, and what of it is there. */
function mappings(pid: number): { start: string; offset: string; file: string; kiB(name: string): number }[] {
  const parts = read(`/proc/${pid}/smaps`).split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m);
  return parts.flatMap((part) => {
    const [, start, offset, file] = /^([0-9a-f]+)-[0-9a-f]+ \S+ ([0-9a-f]+) \S+ \d+ *(.*)$/m.exec(part) ?? [];
    if (start === undefined || offset === undefined || file === undefined) return [];
    const kiB = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(part)?.[1] ?? 0);
    return [{ start, offset, file, kiB }];
  });
}

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
