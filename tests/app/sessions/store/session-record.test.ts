import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { cutTexts } from '../../../../app/sessions/store/cut-texts.ts';
import type { RecordLimits } from '../../../../app/sessions/store/session-record.ts';
import { SessionStore } from '../../../../app/sessions/store/session-store.ts';
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
    record.forgetFrom('a', 't1');
    store.close();
    expect(opened({}, path).add('a', 't3').seq).toBe(3);
  });

  it('gives no number a second time after a kill in the moment before the last entries were written', () => {
    const { path, record, add } = opened();
    add('a', 't1');
    record.flush();
    const told = [add('a', 't1', 'told'), add('a', 't1', 'and lost')].map(({ seq }) => seq);
    const left = join(temporaryFolder(), 'sessions.db');
    for (const end of ['', '-wal']) copyFileSync(path + end, left + end);
    const next = opened({}, left);
    const { seq } = next.add('a', 't2', 'new');
    expect(told).not.toContain(seq);
    expect(seq).toBeGreaterThan(Math.max(...told));
    const page = next.record.read(Math.max(...told));
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
    expect(record.trim('a')).toBe(6);
    expect(record.read(0, { session: 'a' })).toMatchObject({ gap: false, entries: [7, 8, 9].map((seq) => ({ seq })) });
    expect([2, 6, 8].map((cursor) => record.read(cursor, { session: 'a' }).gap)).toEqual([true, false, false]);
    expect(record.read(2, { session: 'b' }).gap).toBe(false);
    expect(record.trim('a')).toBe(0);
    for (let n = 0; n < 20; n += 1) add('a', 't4');
    expect(record.trim('a')).toBe(3);
    expect(record.read(0, { session: 'a' }).entries).toHaveLength(20);
  });

  it('counts the bytes that it keeps against the limit', () => {
    const { record, add } = opened({ bytes: 2_000 });
    for (const turn of ['t1', 't2', 't3']) add('a', turn, 'x'.repeat(900));
    expect(record.trim('a')).toBe(1);
  });

  it('forgets a turn and what came after it when a person goes back', () => {
    const { record, add } = opened();
    for (const turn of ['t1', 't2', 't3']) add('a', turn);
    add('b', 't2');
    record.forgetFrom('a', 't2');
    expect(record.read(0).entries.map(({ seq }) => seq)).toEqual([1, 4]);
    expect(record.read(2, { session: 'a' }).gap).toBe(true);
  });

  it('keeps a huge output cut, with its length, and tells fronts the same', () => {
    const { record, add } = opened({ text: 1_000 });
    const huge = 'y'.repeat(200_000_000);
    const told = add('a', 't', { content: [{ text: 'short' }, { text: huge }], 'odd/na~me': 'z'.repeat(1_001) });
    expect(told.cuts).toEqual([
      { at: '/content/1/text', length: 200_000_000, kept: 1_000 },
      { at: '/odd~1na~0me', length: 1_001, kept: 1_000 },
    ]);
    expect(record.read(0).entries).toEqual([told]);
    expect(JSON.stringify(told.event).length).toBeLessThan(3_000);
  });
});

describe('cutting texts', () => {
  it('gives back the same object where nothing is too long', () => {
    const event = { a: ['b', { c: null, d: 1, e: true }] };
    expect(cutTexts(event, 10)).toEqual({ event, cuts: [] });
    expect(cutTexts(event, 10).event).toBe(event);
  });

  it('leaves what was given as it is, and cuts between characters', () => {
    const given = { same: { untouched: 1 }, text: 'aaa😀b' };
    const { event, cuts } = cutTexts(given, 4);
    expect(event).toEqual({ same: { untouched: 1 }, text: 'aaa' });
    expect(cuts).toEqual([{ at: '/text', length: 6, kept: 3 }]);
    expect(given.text).toBe('aaa😀b');
  });
});
