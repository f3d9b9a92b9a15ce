import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { dayStamp, keepAside } from '../../../app/settings/files.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'jumpseat-test-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
  vi.unstubAllEnvs();
});

it('puts the label before the ending and never overwrites', () => {
  const path = join(folder, 'data.db');
  for (const text of ['one', 'two', 'three']) {
    writeFileSync(path, text);
    keepAside(path, 'broken-2026-11-20');
  }
  const kept = readdirSync(folder).sort();
  expect(kept).toEqual(['data.broken-2026-11-20-2.db', 'data.broken-2026-11-20-3.db', 'data.broken-2026-11-20.db']);
  expect(kept.map((name) => readFileSync(join(folder, name), 'utf8'))).toEqual(['two', 'three', 'one']);
});

it('takes the files along that belong to it, and only where all names are free', () => {
  const path = join(folder, 'data.db');
  writeFileSync(path, 'data');
  writeFileSync(`${path}-wal`, 'wal');
  writeFileSync(join(folder, 'data.x.db-wal'), 'of another');
  expect(keepAside(path, 'x', ['-wal', '-shm'])).toBe(join(folder, 'data.x-2.db'));
  expect(readdirSync(folder).sort()).toEqual(['data.x-2.db', 'data.x-2.db-wal', 'data.x.db-wal']);
});

it('throws when the file cannot be renamed', () => {
  expect(() => keepAside(join(folder, 'missing.db'), 'x')).toThrow('ENOENT');
});

it('stamps with the local day', () => {
  const time = Date.parse('2026-03-08T23:30:00Z');
  vi.stubEnv('TZ', 'Asia/Kathmandu');
  expect(dayStamp(time)).toBe('2026-03-09');
  vi.stubEnv('TZ', 'America/St_Johns');
  expect(dayStamp(time)).toBe('2026-03-08');
});
