import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Started } from '../started.ts';
import { script, scriptPath } from './script.ts';

interface Lock {
  withLock<Result>(file: string, work: () => Promise<Result> | Result): Promise<Result>;
}

const { withLock } = await script<Lock>('lock');

describe('a lock between commands', () => {
  let folder: string;
  let file: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'jumpseat-lock-'));
    file = join(folder, 'deep', 'a.lock');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is held while the work runs and gone after it, also when it fails', async () => {
    expect(await withLock(file, () => readFileSync(file, 'utf8'))).toBe(String(process.pid));
    expect(existsSync(file)).toBe(false);
    await expect(withLock(file, () => Promise.reject(new Error('broke')))).rejects.toThrow('broke');
    expect(existsSync(file)).toBe(false);
  });

  it('makes a second one wait', async () => {
    const order: string[] = [];
    const gate = Promise.withResolvers<void>();
    const first = withLock(file, async () => {
      order.push('first begins');
      await gate.promise;
      order.push('first ends');
    });
    const second = withLock(file, () => {
      order.push('second');
    });
    gate.resolve();
    await Promise.all([first, second]);
    expect(order).toEqual(['first begins', 'first ends', 'second']);
  });

  it('of a process that was killed is taken over', async () => {
    const holder = new Started(process.execPath, [
      '--input-type=module',
      '-e',
      `import { withLock } from ${JSON.stringify(scriptPath('lock'))};
       await withLock(${JSON.stringify(file)}, () => {
         console.log('held');
         return new Promise(() => setInterval(() => {}, 1000));
       });`,
    ]);
    await holder.line();
    await holder.stop('SIGKILL');
    expect(existsSync(file)).toBe(true);
    expect(await withLock(file, () => 'taken')).toBe('taken');
  });

  it('that is too old is taken over, whichever process has its pid now', async () => {
    await withLock(file, () => {});
    writeFileSync(file, String(process.ppid));
    const longAgo = new Date(Date.now() - 3_600_000);
    utimesSync(file, longAgo, longAgo);
    expect(await withLock(file, () => 'taken')).toBe('taken');
  });

  it('lets one at a time in, of ten processes that find a dead one', async () => {
    const counter = join(folder, 'counter');
    writeFileSync(counter, '0');
    await withLock(file, () => {});
    writeFileSync(file, '999999999');
    const code = `import { withLock } from ${JSON.stringify(scriptPath('lock'))};
      import { readFileSync, writeFileSync } from 'node:fs';
      await withLock(${JSON.stringify(file)}, async () => {
        const seen = Number(readFileSync(${JSON.stringify(counter)}, 'utf8'));
        await new Promise(setImmediate);
        writeFileSync(${JSON.stringify(counter)}, String(seen + 1));
      });`;
    const children = Array.from(
      { length: 10 },
      () => new Started(process.execPath, ['--input-type=module', '-e', code]),
    );
    const ends = await Promise.all(children.map((child) => child.ended()));
    expect(ends.map(({ code }) => code)).toEqual(ends.map(() => 0));
    expect(readFileSync(counter, 'utf8')).toBe('10');
  });
});
