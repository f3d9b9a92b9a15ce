import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../../../app/api/exchange.ts';
import { orderOf } from '../../../../renderer/requests/list-settings.ts';
import { RequestLog } from '../../../../renderer/state/log/request-log.ts';
import { rowOf } from '../../../../renderer/state/log/row.ts';
import { exchange } from '../../../exchange.ts';

const at = (id: string, startedAt: number, change: Partial<Exchange> = {}): Exchange =>
  exchange({ id, startedAt, ...change });
const running = (id: string, startedAt: number): Exchange =>
  at(id, startedAt, {
    outcome: 'running',
    status: null,
    charge: { kind: 'pending', nanoAiu: null, premiumRequests: null, partial: false, details: [] },
  });
const shown = (log: RequestLog): string[] => log.view().rows.map(({ id }) => id);

describe('the list', () => {
  it('orders by start and then by arrival, whatever order they are heard in', () => {
    const log = new RequestLog();
    log.hear([at('c', 3), at('a', 1), at('b', 2), at('b2', 2)]);
    expect(shown(log)).toEqual(['a', 'b', 'b2', 'c']);
  });

  it('updates a row in its place', () => {
    const log = new RequestLog();
    log.hear([running('a', 1), at('b', 2)]);
    log.hear([at('a', 1, { status: 500, outcome: 'failed' })]);
    expect(log.view().rows.map(({ id, status }) => [id, status])).toEqual([
      ['a', 500],
      ['b', 200],
    ]);
    expect(log.view()).toMatchObject({ known: 2, running: 0, counts: { all: 2, errors: 1 } });
  });

  it('takes what was heard for newer than a page, but for an end', () => {
    const log = new RequestLog();
    log.hear([running('a', 1), at('b', 2)]);
    log.addNewest([at('a', 1), running('b', 2), at('c', 3)]);
    expect(log.view().rows.map(({ id, outcome }) => [id, outcome])).toEqual([
      ['a', 'done'],
      ['b', 'done'],
      ['c', 'done'],
    ]);
  });

  it('puts older pages before what is there and knows no row twice', () => {
    const log = new RequestLog();
    log.addNewest([at('d', 4), at('e', 5)]);
    expect(log.addOlder([rowOf(at('b', 2), 0), rowOf(at('c', 4), 0), rowOf(at('d', 4), 0)])).toBe(2);
    expect(log.addOlder([rowOf(at('a', 1), 0)])).toBe(1);
    expect(shown(log)).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(log.indexOf('d')).toBe(3);
    expect(log.indexOf('nobody')).toBe(-1);
  });

  it('says whether a page meets what is there', () => {
    const log = new RequestLog();
    log.hear([running('a', 1), at('b', 2)]);
    expect(log.joins([{ id: 'a' }, { id: 'x' }])).toBe(false);
    expect(log.joins([{ id: 'b' }])).toBe(true);
  });

  it('stands still while paused, and counts what waits', () => {
    const log = new RequestLog();
    log.hear([running('a', 1)]);
    log.pause();
    log.hear([at('a', 1), at('b', 2)]);
    log.hear([at('b', 2), at('c', 3)]);
    expect(shown(log)).toEqual(['a']);
    expect(log.view()).toMatchObject({ paused: true, waiting: 2, running: 1 });
    log.resume();
    expect(shown(log)).toEqual(['a', 'b', 'c']);
    expect(log.view()).toMatchObject({ paused: false, waiting: 0, running: 0 });
  });

  it('is emptied but for pinned rows, and filled again', () => {
    const log = new RequestLog();
    log.hear([at('a', 1), at('b', 2)]);
    expect(log.togglePin('a')).toBe(true);
    log.clear();
    log.hear([at('c', 3)]);
    expect(shown(log)).toEqual(['a', 'c']);
    expect(log.view()).toMatchObject({ known: 3, cleared: 1, counts: { all: 2 } });
    log.showCleared();
    expect(shown(log)).toEqual(['a', 'b', 'c']);
  });

  it('counts for the search, and sums for what is shown', () => {
    const log = new RequestLog();
    log.hear([
      at('a', 1),
      at('b', 2, { initiator: 'agent', charge: { ...exchange().charge, kind: 'free', nanoAiu: 0 } }),
      at('c', 3, { servedModel: 'gpt-4o-mini' }),
      at('d', 4, { outcome: 'cut', charge: { ...exchange().charge, kind: 'unknown', nanoAiu: null } }),
      at('e', 5, { charge: { ...exchange().charge, kind: 'none', nanoAiu: null } }),
    ]);
    log.search('model:opus');
    expect(log.view().counts).toEqual({ all: 4, billed: 1, free: 1, unknown: 1, none: 1, errors: 1 });
    log.choose('free');
    expect(log.view().counts).toEqual({ all: 4, billed: 1, free: 1, unknown: 1, none: 1, errors: 1 });
    expect(log.view().sums).toEqual({
      ...{ requests: 1, user: 0, agent: 1, neither: 0, noCharge: 0 },
      ...{ nanoAiu: 0, premium: 0, unknown: 0 },
    });
    expect(shown(log)).toEqual(['b']);
    log.choose('unknown');
    expect(log.view().sums).toMatchObject({ requests: 1, nanoAiu: 0, unknown: 1 });
    log.choose('none');
    expect(shown(log)).toEqual(['e']);
  });

  it('keeps whole exchanges of the last time only', () => {
    const log = new RequestLog();
    log.hear(Array.from({ length: 600 }, (_, index) => at(`r${index}`, index)));
    expect(log.exchange('r0')).toBeNull();
    expect(log.exchange('r599')).toMatchObject({ id: 'r599' });
    expect(log.row('r0')).toMatchObject({ id: 'r0' });
  });

  it('is the same whether rows came one by one or were arranged at once', () => {
    const change = fc.record({
      id: fc.integer({ min: 0, max: 12 }),
      startedAt: fc.integer({ min: 0, max: 4 }),
      outcome: fc.constantFrom('running', 'done', 'cut', 'failed'),
      initiator: fc.constantFrom('user', 'agent', null),
      nanoAiu: fc.option(fc.integer({ min: 0, max: 5 }), { nil: null }),
    });
    const column = fc.constantFrom('time', 'charge', 'initiator', 'status') as fc.Arbitrary<'time' | 'charge'>;
    fc.assert(
      fc.property(fc.array(change, { maxLength: 40 }), column, fc.boolean(), (changes, name, descending) => {
        const order = orderOf({ column: name, descending });
        const starts = new Map<number, number>();
        const made = changes.map(({ id, startedAt, outcome, initiator, nanoAiu }) => {
          const start = starts.get(id) ?? startedAt;
          starts.set(id, start);
          const kind = nanoAiu === null ? 'unknown' : nanoAiu === 0 ? 'free' : 'billed';
          return at(String(id), start, {
            outcome: outcome as Exchange['outcome'],
            initiator: initiator as Exchange['initiator'],
            charge: { ...exchange().charge, kind, nanoAiu },
          });
        });
        const oneByOne = new RequestLog();
        oneByOne.search('-is:free');
        oneByOne.sort(order);
        for (const one of made) oneByOne.hear([one]);
        const atOnce = new RequestLog();
        atOnce.hear(made);
        atOnce.search('-is:free');
        atOnce.sort(order);
        const { version: _, arrangement: __, filter: ___, ...left } = oneByOne.view();
        const { version: ____, arrangement: _____, filter: ______, ...right } = atOnce.view();
        expect(left).toEqual(right);
        for (const [index, row] of oneByOne.view().rows.entries()) expect(oneByOne.indexOf(row.id)).toBe(index);
      }),
    );
  });
});
