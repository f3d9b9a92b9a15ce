import { copyFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { cutTexts } from '../../../../app/sessions/store/cut-texts.ts';
import type { RecordLimits } from '../../../../app/sessions/store/session-record.ts';
import { SessionStore } from '../../../../app/sessions/store/session-store.ts';
import { Started } from '../../../started.ts';
import { collectingLog, fakeClock, temporaryFolder } from '../../history/surroundings.ts';

function opened(limits: Partial<RecordLimits> = {}, path = join(temporaryFolder(), 'sessions.db')) {
  const clock = fakeClock();
  const store = new SessionStore(path, { clock, log: collectingLog(), limits });
  const add = (sessionId: string, turnId: string | null, event: unknown = { text: 'x' }) =>
    store.record.append({ sessionId, turnId, kind: 'update', event });
  return { path, clock, store, record: store.record, add };
}

describe('the record of a session', () => {
  it('gives each entry its number at once, and has it on disk after the turn of the loop or a flush', async () => {
    const { path, record, add, clock } = opened();
    const onDisk = () =>
      new DatabaseSync(path, { readOnly: true }).prepare('SELECT count(*) AS n FROM record').get()?.n;
    const first = add('a', 't1', { sessionUpdate: 'agent_message_chunk', unknown: { kept: true } });
    expect(first).toEqual({
      ...{ seq: 1, at: clock.now(), sessionId: 'a', turnId: 't1', kind: 'update', cuts: null },
      event: { sessionUpdate: 'agent_message_chunk', unknown: { kept: true } },
    });
    expect(onDisk()).toBe(0);
    record.flush();
    expect(onDisk()).toBe(1);
    add('b', null);
    await new Promise(setImmediate);
    expect(onDisk()).toBe(2);
    expect(record.last).toBe(2);
  });

  it('is read from a cursor, page by page, of one session or of all', () => {
    const { record, add } = opened();
    for (let n = 1; n <= 7; n += 1) add(n % 2 === 0 ? 'even' : 'odd', null, n);
    const page = record.read(0, { limit: 3 });
    expect(page).toMatchObject({ last: 3, more: true, gap: false });
    expect(record.read(page.last, { limit: 10 })).toMatchObject({ last: 7, more: false });
    expect(record.read(2, { session: 'even' }).entries.map(({ event }) => event)).toEqual([4, 6]);
    expect(record.read(7)).toEqual({ entries: [], last: 7, more: false, gap: false });
    expect(record.turn('odd', 'none')).toEqual([]);
  });

  it('goes on counting after a start, also when the last entries are gone', () => {
    const { path, record, add, store } = opened();
    add('a', 't1');
    add('a', 't2');
    record.cutFrom('a', 't1');
    store.close();
    expect(opened({}, path).add('a', 't3').seq).toBe(3);
  });

  it('gives no number a second time after a kill in the moment before the last entries were written', () => {
    const { path, record, add } = opened();
    add('a', 't1');
    record.flush();
    const reported = [add('a', 't1', 'told'), add('a', 't1', 'and lost')].map(({ seq }) => seq);
    const left = join(temporaryFolder(), 'sessions.db');
    for (const end of ['', '-wal']) copyFileSync(path + end, left + end);
    const next = opened({}, left);
    const { seq } = next.add('a', 't2', 'new');
    expect(reported).not.toContain(seq);
    expect(seq).toBeGreaterThan(Math.max(...reported));
    const page = next.record.read(Math.max(...reported));
    expect([page.entries.map(({ event }) => event), page.gap]).toEqual([['new'], false]);
    next.store.close();
    // An orderly end wastes none.
    expect(opened({}, left).add('a', 't2').seq).toBe(seq + 1);
  });

  it('says a gap to a front that comes with the cursor of another record', () => {
    const { record, add } = opened();
    add('a', 't1');
    expect(record.read(1)).toMatchObject({ last: 1, gap: false });
    expect(record.read(500)).toEqual({ entries: [], last: 1, more: false, gap: true });
    expect(record.read(500, { session: 'a' })).toMatchObject({ last: 1, gap: true });
  });

  it('is read beside the process that writes it without a gap', () => {
    const { path, add, record } = opened();
    add('a', 't1');
    record.flush();
    const beside = new SessionStore(path, { clock: fakeClock(), log: collectingLog(), readOnly: true });
    for (let n = 0; n < 5; n += 1) add('a', 't1');
    record.flush();
    const page = beside.record.read(0);
    expect(page.entries).toHaveLength(6);
    expect(beside.record.read(page.last)).toMatchObject({ entries: [], gap: false });
  });

  it('gives up the oldest turns at its limit, never the last one, and says the gap to who was there before', () => {
    const { record, add } = opened({ entries: 5 });
    for (const turn of ['t1', 't2', 't3']) for (let n = 0; n < 3; n += 1) add('a', turn);
    add('b', 'other');
    expect(record.trim('a')).toBeNull();
    expect(record.read(0, { session: 'a' })).toMatchObject({ gap: false, entries: [7, 8, 9].map((seq) => ({ seq })) });
    expect([2, 6, 8].map((cursor) => record.read(cursor, { session: 'a' }).gap)).toEqual([true, false, false]);
    expect(record.read(2, { session: 'b' }).gap).toBe(false);
    for (let n = 0; n < 4; n += 1) add('a', 't4');
    expect(record.trim('a')).toBeNull();
    expect(record.read(0, { session: 'a' }).entries).toHaveLength(4);
  });

  it('counts the bytes that it keeps against the limit', () => {
    const { record, add } = opened({ bytes: 2_000 });
    for (const turn of ['t1', 't2', 't3']) add('a', turn, 'x'.repeat(900));
    expect(record.trim('a')).toBeNull();
    expect(record.read(0, { session: 'a' }).entries).toHaveLength(2);
  });

  it('forgets a turn and what came after it when a person goes back', () => {
    const { record, add } = opened();
    for (const turn of ['t1', 't2', 't3']) add('a', turn);
    add('b', 't2');
    record.cutFrom('a', 't2');
    expect(record.read(0).entries.map(({ seq }) => seq)).toEqual([1, 4]);
    expect(record.read(2, { session: 'a' }).gap).toBe(true);
  });

  it('keeps a huge output cut, with its length, and tells fronts the same', () => {
    const { record, add } = opened({ text: 1_000 });
    const huge = 'y'.repeat(200_000_000);
    const reported = add('a', 't', { content: [{ text: 'short' }, { text: huge }], 'odd/na~me': 'z'.repeat(1_001) });
    expect(reported.cuts).toEqual([
      { at: '/content/1/text', length: 200_000_000, kept: 1_000 },
      { at: '/odd~1na~0me', length: 1_001, kept: 1_000 },
    ]);
    expect(record.read(0).entries).toEqual([reported]);
    expect(JSON.stringify(reported.event).length).toBeLessThan(3_000);
  });
});

describe('one huge turn', () => {
  it('gives up its own beginning at the limit, and says how much that was', () => {
    const { record, add } = opened({ entries: 80 });
    add('a', 't1');
    add('b', 'other');
    for (let n = 0; n < 8; n += 1) add('a', 't2');
    record.flush();
    expect(record.hasGrown('a')).toBe(false);
    for (let n = 0; n < 80; n += 1) add('a', 't2');
    record.flush();
    expect(record.hasGrown('a')).toBe(true);
    const cut = record.trim('a');
    expect(cut).toEqual({ turnId: 't2', entries: 28, bytes: 28 * JSON.stringify({ text: 'x' }).length });
    expect(record.hasGrown('a')).toBe(false);
    const { entries } = record.read(0, { session: 'a' });
    expect([entries.length, entries.at(-1)?.seq]).toEqual([60, 90]);
    expect([record.read(5, { session: 'a' }).gap, record.read(89, { session: 'a' }).gap]).toEqual([true, false]);
    expect(record.trim('a')).toBeNull();
    expect(record.read(0, { session: 'b' }).entries).toHaveLength(1);
  });

  it('takes no more of the disk than that, however much is said', () => {
    const bytes = 4 * 1024 * 1024;
    const { path, record, add, store } = opened({ bytes });
    let gone = 0;
    for (let n = 0; n < 2_000; n += 1) {
      add('a', 't', `${n}`.padEnd(60_000, 'z'));
      if (n % 10 === 9) record.flush();
      if (record.hasGrown('a')) gone += record.trim('a')?.bytes ?? 0;
    }
    record.flush();
    expect(gone).toBeGreaterThan(100 * 1024 * 1024);
    expect(statSync(path).size).toBeLessThan(2 * bytes);
    // SQLite's own log of changes begins anew at 32 MB, as soon as a transaction is over.
    expect(statSync(`${path}-wal`).size).toBeLessThan(40 * 1024 * 1024);
    expect(record.read(0, { limit: 5_000 }).entries.at(-1)?.event).toBe('1999'.padEnd(60_000, 'z'));
    store.close();
  });

  it('with an output of 200 MB keeps its beginning and its size, in little memory', async () => {
    const path = join(temporaryFolder(), 'sessions.db');
    const taking = new Started(process.execPath, [join(import.meta.dirname, '../host/fixtures/take-huge.ts'), path]);
    const { kept, grownMb } = JSON.parse(await taking.line());
    expect(kept).toHaveLength(1);
    expect(kept[0].cuts).toEqual([{ at: '/update/rawOutput', length: 200_000_000, kept: 65_536 }]);
    expect(kept[0].length).toBeLessThan(70_000);
    // Read whole, it is 400 and more.
    expect(grownMb).toBeLessThan(250);
  }, 120_000);
});

describe('cutting texts', () => {
  it('gives back the same object where nothing is too long', () => {
    const event = { a: ['b', { c: null, d: 1, e: true }] };
    expect(cutTexts(event, 10)).toEqual({ event, cuts: [] });
    expect(cutTexts(event, 10).event).toBe(event);
  });

  it('keeps an image whole or not at all, with its name and its size', () => {
    const image = {
      type: 'image',
      mimeType: 'image/png',
      data: 'A'.repeat(400),
      _meta: { jumpseat: { name: 'a.png' } },
    };
    const event = { prompt: [{ type: 'text', text: 'see' }, image, { ...image, data: 'AAAA' }] };
    const cut = cutTexts(event, 100);
    expect(cut.event).toEqual({
      prompt: [
        { type: 'text', text: 'see' },
        { ...image, data: '', _meta: { jumpseat: { name: 'a.png', bytes: 300 } } },
        { ...image, data: 'AAAA' },
      ],
    });
    expect(cut.cuts).toEqual([{ at: '/prompt/1/data', length: 400, kept: 0 }]);
    const many = Array.from({ length: 30 }, () => ({ type: 'image', mimeType: 'image/png', data: 'A'.repeat(60_000) }));
    const lengths = (cutTexts(many).event as { data: string }[]).map(({ data }) => data.length);
    expect(new Set(lengths)).toEqual(new Set([60_000, 0]));
  });

  it('keeps less of each where there are many', () => {
    const texts = Array.from({ length: 400 }, () => 'm'.repeat(20_000));
    const { event, cuts } = cutTexts(texts);
    expect(JSON.stringify(event).length).toBeLessThan(1.5 * 1024 * 1024);
    expect(cuts.at(-1)).toEqual({ at: '/399', length: 20_000, kept: 1_024 });
    expect(cutTexts(texts.slice(0, 50)).cuts).toEqual([]);
  });

  it('leaves what was given as it is, and cuts between characters', () => {
    const given = { same: { untouched: 1 }, text: 'aaa😀b' };
    const { event, cuts } = cutTexts(given, 4);
    expect(event).toEqual({ same: { untouched: 1 }, text: 'aaa' });
    expect(cuts).toEqual([{ at: '/text', length: 6, kept: 3 }]);
    expect(given.text).toBe('aaa😀b');
  });
});
