import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isTaken, takeLock } from '../../../app/server/lock.ts';
import { readLock } from '../../../app/server/who-answers.ts';
import { Started } from '../../started.ts';

let home: string;
let path: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'jumpseat-lock-'));
  path = join(home, 'lock');
});
afterEach(() => rmSync(home, { recursive: true, force: true }));
const me = { pid: process.pid, port: 4180 };

async function serving(answer: (response: ServerResponse) => unknown): Promise<{ port: number; close: () => void }> {
  const server = createServer((_request, response) => answer(response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return { port: address.port, close: () => server.close() };
}

it('holds pid and port, readable by its owner alone, and is gone after its release', async () => {
  const lock = await takeLock(path, me);
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(me);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(lock.ok).toBe(true);
  if (lock.ok) lock.release();
  expect(existsSync(path)).toBe(false);
});

it('two at once: one gets it, the other learns who', async () => {
  const both = await Promise.all([takeLock(path, me), takeLock(path, { ...me, port: 4181 })]);
  expect(both.filter(({ ok }) => ok)).toHaveLength(1);
  expect(both.find(({ ok }) => !ok)).toMatchObject({ ok: false, owner: { pid: process.pid } });
});

it('a lock whose process is gone is stale', async () => {
  writeFileSync(path, JSON.stringify({ pid: 2 ** 22 + 1, port: 4180 }));
  expect((await takeLock(path, me)).ok).toBe(true);
});

it('a pid that belongs to another program now is stale', async () => {
  writeFileSync(path, JSON.stringify({ pid: 1, port: 9 }));
  expect((await takeLock(path, me)).ok).toBe(true);
});

it('a living Jumpseat keeps its lock', async () => {
  const { port, close } = await serving((response) => response.setHeader('x-jumpseat', '1').end('{}'));
  writeFileSync(path, JSON.stringify({ pid: 1, port }));
  expect(await takeLock(path, me)).toEqual({ ok: false, owner: { pid: 1, port }, isAnswering: true });
  close();
});

it.each(['', '{', '[]', '{"pid":"x"}', '{"pid":1,"port":99999999}', '{"pid":0,"port":4180}'])(
  'a lock that says nothing (%j) is replaced',
  async (text) => {
    writeFileSync(path, text);
    expect((await takeLock(path, me)).ok).toBe(true);
    expect(readLock(path)).toEqual(me);
  },
);

it('a lock that another start took while this one was asking is left alone', async () => {
  // The old owner's port belongs to something that answers, but not as a Jumpseat does; the new owner's to a Jumpseat.
  const asked = Promise.withResolvers<void>();
  const taken = Promise.withResolvers<void>();
  const stranger = await serving(async (response) => {
    asked.resolve();
    await taken.promise;
    response.end();
  });
  const jumpseat = await serving((response) => response.setHeader('x-jumpseat', '1').end('{}'));
  writeFileSync(path, JSON.stringify({ pid: 1, port: stranger.port }));
  const late = takeLock(path, me);
  await asked.promise;
  writeFileSync(path, JSON.stringify({ pid: 1, port: jumpseat.port }));
  taken.resolve();
  expect(await late).toEqual({ ok: false, owner: { pid: 1, port: jumpseat.port }, isAnswering: true });
  stranger.close();
  jumpseat.close();
});

it('a lock that is being written is not taken away', async () => {
  const jumpseat = await serving((response) => response.setHeader('x-jumpseat', '1').end('{}'));
  writeFileSync(path, '');
  const late = takeLock(path, me);
  writeFileSync(path, JSON.stringify({ pid: 1, port: jumpseat.port }));
  expect(await late).toMatchObject({ ok: false, owner: { port: jumpseat.port } });
  jumpseat.close();
});

it('release leaves a lock alone that another process holds by now', async () => {
  const lock = await takeLock(path, me);
  writeFileSync(path, JSON.stringify({ pid: 7, port: 7 }));
  if (lock.ok) lock.release();
  expect(readLock(path)).toEqual({ pid: 7, port: 7 });
});

it.each(['lock', 'lock.held'])('a folder named %s is said, and left alone', async (name) => {
  mkdirSync(join(home, name));
  await expect(takeLock(path, me)).rejects.toMatchObject({
    name: 'LockError',
    message: `${join(home, name)} is a folder; Jumpseat’s lock file has that name.`,
  });
  expect(statSync(join(home, name)).isDirectory()).toBe(true);
});

it('a file that cannot be locked is no hindrance, and said', async () => {
  writeFileSync(join(home, 'lock.held'), 'something else, long enough to be no database'.repeat(100));
  const lock = await takeLock(path, me);
  expect(lock).toMatchObject({ ok: true, unheld: expect.stringContaining('database') });
  if (lock.ok) lock.release();
  expect(existsSync(path)).toBe(false);
});

describe('another process', () => {
  const holder = () => new Started(process.execPath, [join(import.meta.dirname, 'fixtures/hold-lock.ts'), path]);

  it('that was killed owns nothing, whatever its lock says and whatever answers there', async () => {
    const jumpseat = await serving((response) => response.setHeader('x-jumpseat', '1').end('{}'));
    const killed = holder();
    await killed.line();
    expect([isTaken(path), readLock(path)?.pid]).toEqual([true, killed.child.pid]);
    killed.child.kill('SIGKILL');
    await killed.ended();
    writeFileSync(path, JSON.stringify({ pid: killed.child.pid, port: jumpseat.port }));
    expect([isTaken(path), (await takeLock(path, me)).ok]).toEqual([false, true]);
    jumpseat.close();
  });

  it('that is about to end is waited for', async () => {
    const ending = holder();
    await ending.line();
    const lock = takeLock(path, me);
    ending.child.kill('SIGTERM');
    expect(await lock).toMatchObject({ ok: true, unheld: null });
    await ending.ended();
    expect(readLock(path)).toEqual(me);
  });

  it('that does not end keeps it, without an answer on its port', async () => {
    const stuck = holder();
    await stuck.line();
    let looks = 0;
    const lock = takeLock(path, me, () => ++looks < 4);
    expect(await lock).toMatchObject({ ok: false, owner: { pid: stuck.child.pid }, isAnswering: false });
    await stuck.stop('SIGTERM');
  });
});
