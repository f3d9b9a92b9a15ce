import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { soon } from '../../soon.ts';
import { startStack } from '../stack.ts';

/** Containers and other systems may not. */
const canMount = ((): boolean => {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  const place = mkdtempSync(join(tmpdir(), 'jumpseat-mount-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', place], { stdio: 'ignore' });
    execFileSync('umount', [place]);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
})();

it.runIf(canMount)(
  'a full disk at the start: the proxy starts and everything is saved once there is room',
  async () => {
    const disk = mkdtempSync(join(tmpdir(), 'jumpseat-small-disk-'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', disk]);
    onTestFinished(() => {
      execFileSync('umount', ['--lazy', disk]);
      rmSync(disk, { recursive: true, force: true });
    });
    const filler = join(disk, 'filler');
    try {
      for (;;) appendFileSync(filler, Buffer.alloc(4_096));
    } catch {
      // It is full.
    }
    const stack = await startStack({ home: disk, idle: true });
    onTestFinished(() => stack.close());
    await stack.app.sessionList();
    await expect(stack.app.startProxy({ port: 0 })).rejects.toThrow(/^The disk that holds the folder \S+ is full/);
    expect(stack.app.state().proxy).toMatchObject({ kind: 'failed', code: 'disk-full' });
    rmSync(filler);
    await soon(() => expect(stack.app.state().proxy.kind).toBe('on'));
    expect(stack.app.state().warnings).toEqual([]);
  },
);

it('files that couldn’t be used at the start are used once the proxy starts', async () => {
  const home = mkdtempSync(join(tmpdir(), 'jumpseat-full-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const inTheWay = ['history.db', 'sessions.db'].map((name) => join(home, name));
  for (const path of inTheWay) mkdirSync(path);
  const stack = await startStack({ home, idle: true });
  onTestFinished(() => stack.close());
  await stack.app.sessionList();
  const codes = (): string[] => stack.app.state().warnings.map(({ code }) => code);
  expect(codes()).toEqual(expect.arrayContaining(['history-in-memory', 'sessions-in-memory']));
  for (const path of inTheWay) rmdirSync(path);
  await stack.app.startProxy();
  expect(codes()).toEqual([]);
});
