import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readLock, takeLock } from '../../../app/server/lock.ts';

let home: string;
let path: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'jumpseat-lock-'));
  path = join(home, 'lock');
});
afterEach(() => rmSync(home, { recursive: true, force: true }));
const me = { pid: process.pid, port: 4180 };

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
  const server = createServer((_request, response) => response.setHeader('x-jumpseat', '1').end('{}'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  writeFileSync(path, JSON.stringify({ pid: 1, port }));
  expect(await takeLock(path, me)).toEqual({ ok: false, owner: { pid: 1, port } });
  server.close();
});

it.each(['', '{', '[]', '{"pid":"x"}'])('a lock that says nothing (%j) is replaced', async (text) => {
  writeFileSync(path, text);
  expect((await takeLock(path, me)).ok).toBe(true);
  expect(readLock(path)).toEqual(me);
});

it('release leaves a lock alone that is somebody else’s by now', async () => {
  const lock = await takeLock(path, me);
  writeFileSync(path, JSON.stringify({ pid: 7, port: 7 }));
  if (lock.ok) lock.release();
  expect(readLock(path)).toEqual({ pid: 7, port: 7 });
});
