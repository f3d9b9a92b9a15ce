import { EventEmitter } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type DumpKeeper,
  endAfterFaults,
  keepDumpsHere,
  outliveTheTerminal,
  removeOldDumps,
} from '../../main/crash.ts';
import { LineLog } from '../app/account/surroundings.ts';
import { Started } from '../started.ts';

let logs: string;
beforeEach(() => {
  logs = mkdtempSync(join(tmpdir(), 'jumpseat-crash-'));
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(logs, { recursive: true, force: true });
});

describe('dumps of crashed processes', () => {
  const electron = (done: unknown[]): DumpKeeper => ({
    app: { setPath: (...given) => done.push(given) },
    crashReporter: { start: (options) => done.push(options) },
  });

  it('stay in the log folder and are never uploaded', () => {
    const done: unknown[] = [];
    keepDumpsHere(electron(done), logs);
    expect(done).toEqual([['crashDumps', join(logs, 'crashes')], { uploadToServer: false }]);
    if (process.platform !== 'win32') expect(statSync(join(logs, 'crashes')).mode & 0o777).toBe(0o700);
  });

  it('are not made where the folder cannot be', () => {
    const done: unknown[] = [];
    writeFileSync(join(logs, 'file'), '');
    keepDumpsHere(electron(done), join(logs, 'file'));
    expect(done).toEqual([]);
  });

  it('only the newest are kept, wherever the system puts them', async () => {
    for (const [index, folder] of ['completed', 'pending', 'new', 'completed', 'pending'].entries()) {
      mkdirSync(join(logs, 'crashes', folder), { recursive: true });
      const file = join(logs, 'crashes', folder, `${index}.dmp`);
      writeFileSync(file, 'memory');
      utimesSync(file, index, index);
    }
    writeFileSync(join(logs, 'crashes', 'settings.dat'), '');
    await removeOldDumps(logs);
    const left = readdirSync(join(logs, 'crashes'), { recursive: true, encoding: 'utf8' });
    expect(left.filter((name) => name.includes('.')).toSorted()).toEqual(
      [join('completed', '3.dmp'), join('new', '2.dmp'), join('pending', '4.dmp'), 'settings.dat'].toSorted(),
    );
  });

  it('nothing to remove is nothing wrong', async () => {
    await expect(removeOldDumps(join(logs, 'nowhere'))).resolves.toBeUndefined();
  });
});

describe('uncaught exceptions and rejections', () => {
  function faults({ age = 3_600_000, stop = async () => {} }: { age?: number; stop?: () => Promise<void> } = {}) {
    const source = new EventEmitter();
    const done: string[] = [];
    const log = Object.assign(new LineLog(), { flush: async () => void done.push('flush') });
    const left = new Promise<void>((resolve) => {
      endAfterFaults(source, {
        log,
        stop: async () => {
          done.push('stop');
          await stop();
        },
        leave: (again) => {
          done.push(`leave ${again ? 'for another' : 'for good'}`);
          resolve();
        },
        age: () => age,
      });
    });
    return { source, done, log, left };
  }
  const error = new Error('Bearer gho_secret');

  it('a rejection is written down, and the app goes on', () => {
    const { source, done, log } = faults();
    source.emit('unhandledRejection', error);
    source.emit('unhandledRejection', 'no error at all');
    expect(done).toEqual([]);
    expect(log.lines.map(({ level, event }) => [level, event])).toEqual([
      ['error', 'process.unhandled-rejection'],
      ['error', 'process.unhandled-rejection'],
    ]);
  });

  it('an exception is written down, the proxy ends in order, and a new process takes over', async () => {
    const { source, done, log, left } = faults();
    source.emit('uncaughtException', error);
    source.emit('uncaughtException', new Error('another'));
    await left;
    expect(done).toEqual(['stop', 'flush', 'leave for another']);
    expect(log.lines).toHaveLength(2);
  });

  it('one that fails right after its start does not come back', async () => {
    const { source, done, left } = faults({ age: 59_000 });
    source.emit('uncaughtException', error);
    await left;
    expect(done).toEqual(['stop', 'flush', 'leave for good']);
  });

  it('a proxy that fails to stop is no reason to stay', async () => {
    const { source, done, left } = faults({ stop: () => Promise.reject(new Error('no')) });
    source.emit('uncaughtException', error);
    await left;
    expect(done).toEqual(['stop', 'flush', 'leave for another']);
  });

  it('a proxy that never stops is no reason to stay: after three seconds the process ends', async () => {
    vi.useFakeTimers();
    const { source, done, left } = faults({ stop: () => new Promise(() => {}) });
    source.emit('uncaughtException', error);
    await vi.advanceTimersByTimeAsync(3_000);
    await left;
    expect(done).toEqual(['stop', 'leave for another']);
  });

  it('a real process: redacted lines in the log, and the end', async () => {
    const program = new Started(process.execPath, [join(import.meta.dirname, 'faulty-program.ts'), logs]);
    expect(await program.ended()).toMatchObject({ code: 1 });
    const text = readFileSync(join(logs, 'jumpseat.log'), 'utf8');
    expect(
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).event),
    ).toEqual(['process.unhandled-rejection', 'still-here', 'process.uncaught-exception', 'stopped']);
    expect(text).not.toContain('gho_');
    expect(text).toContain('faulty-program.ts');
  });
});

it('a terminal that was closed ends nothing', () => {
  const stream = new EventEmitter();
  outliveTheTerminal([stream]);
  expect(() => stream.emit('error', new Error('EPIPE'))).not.toThrow();
});
