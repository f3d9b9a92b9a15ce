import { describe, expect, it } from 'vitest';
import {
  columnsFor,
  nextSorting,
  orderOf,
  shownAtFirst,
  speedOf,
  tracksOf,
  unsorted,
} from '../../../renderer/requests/columns.ts';
import { rowOf } from '../../../renderer/requests/row.ts';
import { exchange } from '../example-exchanges.ts';

const first = new Set(shownAtFirst);
const names = (width: number) => columnsFor(width, first).map(({ name }) => name);

describe('columns go as the list narrows', () => {
  const all = [...shownAtFirst];
  const without = (...gone: string[]) => all.filter((name) => !gone.includes(name));
  it.each([
    [1060, all],
    [1059, without('session')],
    [880, without('session')],
    [879, without('session', 'cached', 'first-token')],
    [779, without('session', 'cached', 'first-token', 'input')],
    [679, without('session', 'cached', 'first-token', 'input', 'output')],
    [400, without('session', 'cached', 'first-token', 'input', 'output')],
  ])('%d px', (width, expected) => {
    expect(names(width)).toEqual(expected);
  });

  it('one column takes what is left', () => {
    expect(tracksOf(columnsFor(700, first), 700)).toBe('62px 46px 152px minmax(130px, 1fr) 58px 70px 66px');
  });
});

describe('sorting', () => {
  it('goes up, down, and back to time', () => {
    const once = nextSorting(unsorted, 'charge');
    const twice = nextSorting(once, 'charge');
    expect([once, twice, nextSorting(twice, 'charge')]).toEqual([
      { column: 'charge', descending: false },
      { column: 'charge', descending: true },
      unsorted,
    ]);
    expect(nextSorting(unsorted, 'time')).toEqual({ column: 'time', descending: true });
    expect(nextSorting({ column: 'time', descending: true }, 'time')).toEqual(unsorted);
  });

  it('is by start where the column says nothing', () => {
    const rows = [3, 1, 2].map((at) => rowOf(exchange({ id: `r${at}`, startedAt: at }), at));
    expect(rows.sort(orderOf({ column: 'model', descending: true })).map(({ id }) => id)).toEqual(['r1', 'r2', 'r3']);
  });
});

it('speed is tokens of the answer by the time of its stream', () => {
  expect(speedOf(rowOf(exchange(), 0))).toBeCloseTo(1187 / 17.38);
  expect(speedOf(rowOf(exchange({ tokens: { ...exchange().tokens, output: null } }), 0))).toBeNull();
});
