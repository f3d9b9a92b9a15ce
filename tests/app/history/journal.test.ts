import type * as Fs from 'node:fs';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';
import { openHistory } from '../../../app/history/history.ts';
import { Journal } from '../../../app/history/journal.ts';
import { exampleExchange } from './example.ts';
import { collectingLog, fakeClock, nextTurn, temporaryFolder } from './surroundings.ts';

/** How many bytes the disk takes yet. */
const room = vi.hoisted(() => ({ left: Number.POSITIVE_INFINITY }));
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof Fs>();
  const writeSync = (file: number, bytes: Buffer): number => {
    if (room.left <= 0) throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
    const length = Math.min(bytes.length, room.left);
    room.left -= length;
    return fs.writeSync(file, bytes, 0, length);
  };
  return { ...fs, writeSync };
});
beforeEach(() => {
  room.left = Number.POSITIVE_INFINITY;
});

const line = (prompt: string) => ({ prompt, entry: { firstSeen: 1 } });

it('says so when the disk takes a part of a line or none, and goes on when the database has all', () => {
  const path = join(temporaryFolder(), 'waiting');
  const journal = new Journal(path);
  journal.begin();
  expect(journal.add([line('a')])).toBe(true);
  room.left = 10;
  expect([journal.add([line('b')]), journal.isOpen]).toEqual([false, false]);
  expect(journal.add([line('c')])).toBe(false);
  journal.clear();
  expect([journal.isOpen, journal.add([line('d')])]).toEqual([true, false]);
  room.left = 1000;
  journal.clear();
  expect(journal.add([line('e')])).toBe(true);
  expect(readFileSync(path, 'utf8')).toBe(`${JSON.stringify(line('e'))}\n`);
  journal.remove();
  expect(existsSync(path)).toBe(false);
});

it('begins a line of its own behind one that was cut off', () => {
  const path = join(temporaryFolder(), 'waiting');
  writeFileSync(path, `${JSON.stringify(line('a'))}\n{"prompt":"b","en`);
  const next = new Journal(path);
  expect(next.begin()).toEqual([line('a')]);
  next.add([line('c')]);
  next.end();
  const third = new Journal(path);
  expect(third.begin()).toEqual([line('a'), line('c')]);
  third.remove();
});

function serving(path: string) {
  const log = collectingLog();
  const opened = openHistory(path, { clock: fakeClock(), log });
  opened.takeOver();
  return { log, ...opened };
}

it('leaves nothing to a later owner that the database knows better', async () => {
  const path = join(temporaryFolder(), 'history.db');
  const first = serving(path);
  first.ledger.accept('key', 'ex-1');
  await nextTurn();
  room.left = 0;
  first.ledger.settle('key', 'whole');
  await nextTurn();
  // Nobody closes it: it is killed here.
  await nextTurn();
  expect(readFileSync(`${path}-waiting`, 'utf8')).toBe('');
  room.left = 1000;
  const next = serving(path);
  expect(next.ledger.accepted('key')).toEqual({ ending: 'whole' });
  next.history.close();
  first.history.close();
});

it('is not believed where it was left lying', () => {
  const path = join(temporaryFolder(), 'history.db');
  const first = serving(path);
  first.ledger.accept('settled', 'ex-1');
  const old = { firstSeen: 1, acceptedAt: fakeClock().now(), ending: 'running', exchangeId: 'ex-1' };
  first.ledger.settle('settled', 'whole');
  first.ledger.accept('again', 'ex-2');
  first.ledger.settle('again', 'whole');
  first.ledger.accept('running', 'ex-3');
  first.history.close();
  const entries = [
    { prompt: 'settled', entry: old },
    { prompt: 'again', entry: { ...old, acceptedAt: old.acceptedAt - 1, ending: 'cut' } },
    { prompt: 'running', entry: { ...old, ending: 'whole' } },
    { sent: { ...exampleExchange({ id: 'ex-4' }), startedAt: 'in another form' } },
  ];
  writeFileSync(`${path}-waiting`, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
  const next = serving(path);
  expect(next.ledger.accepted('settled')).toEqual({ ending: 'whole' });
  expect(next.ledger.accepted('again')).toEqual({ ending: 'whole' });
  expect(next.ledger.accepted('running')).toEqual({ ending: 'whole' });
  expect(next.log.lines).toMatchObject([{ event: 'history-row-unreadable' }]);
  expect(readFileSync(`${path}-waiting`, 'utf8')).toBe('');
  next.history.close();
});
