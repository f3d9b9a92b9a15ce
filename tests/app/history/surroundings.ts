import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Clock, Log } from '../../../app/ports.ts';

/** A folder that is gone when the test ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'jumpseat-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export interface FakeClock extends Clock {
  /** Moves both clocks on, and wakes whoever has slept long enough. Resolves when they ran. */
  advance(ms: number): Promise<void>;
}

export function fakeClock(start = 1_795_000_000_000): FakeClock {
  let time = start;
  const sleepers: { until: number; wake: () => void }[] = [];
  return {
    now: () => time,
    ticks: () => time - start,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        sleepers.push({ until: time + ms, wake: resolve });
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
      }),
    async advance(ms) {
      time += ms;
      for (const sleeper of sleepers.splice(0)) {
        if (sleeper.until <= time) sleeper.wake();
        else sleepers.push(sleeper);
      }
      await nextTurn();
    },
  };
}

/** After the `setImmediate` calls that are queued now. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

export interface CollectingLog extends Log {
  lines: { level: string; event: string; facts: Record<string, unknown> | undefined }[];
}

export function collectingLog(): CollectingLog {
  const lines: CollectingLog['lines'] = [];
  return { lines, write: (level, event, facts) => lines.push({ level, event, facts }) };
}
