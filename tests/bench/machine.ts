import { existsSync, readFileSync } from 'node:fs';
import { arch, availableParallelism, cpus, loadavg, platform, release, totalmem } from 'node:os';

export interface MachineFacts {
  platform: string;
  cpu: string;
  cores: number;
  memoryGiB: number;
  node: string;
  openssl: string;
  load: number[];
}

export function machineFacts(): MachineFacts {
  return {
    platform: `${platform()} ${release()} ${arch()}`,
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.versions.node,
    openssl: process.versions.openssl,
    load: loadavg().map((value) => Math.round(value * 100) / 100),
  };
}

/**
 * Busy time of the machine’s CPUs, and of this process with its ended children, in ticks of 10 ms. Null where /proc is
 * not.
 */
interface Ticks {
  busy: number;
  all: number;
}

function ticks(): Ticks | null {
  if (!existsSync('/proc/stat')) return null;
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n');
  const values = line.split(/\s+/).slice(1, 9).map(Number);
  const all = values.reduce((sum, value) => sum + value, 0);
  return { all, busy: all - (values[3] ?? 0) - (values[4] ?? 0) };
}

function ownMs(): number {
  if (!existsSync('/proc/self/stat')) return 0;
  // After the name in brackets: utime, stime, cutime, cstime are fields 14 to 17.
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? [];
  return fields.slice(11, 15).reduce((sum, value) => sum + Number(value), 0) * 10;
}

/**
 * How much of the machine other programs used between the two calls, 0 to 1; null where it cannot be told. Children of
 * ours have to have ended.
 */
export function watchOthers(): () => number | null {
  const [before, own] = [ticks(), ownMs()];
  return () => {
    const after = ticks();
    if (before === null || after === null) return null;
    const all = (after.all - before.all) * 10;
    return Math.max(0, ((after.busy - before.busy) * 10 - (ownMs() - own)) / all);
  };
}
