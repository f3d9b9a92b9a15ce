import fc from 'fast-check';
import { afterEach, expect, it, vi } from 'vitest';
import { showTimesIn } from '../../../app/words/times.ts';
import { dayStarts, ListLayout, lineHeight, linesOf } from '../../../renderer/requests/list-layout.ts';
import { rowOf } from '../../../renderer/state/log/row.ts';
import { exchange } from '../../exchange.ts';

afterEach(() => {
  showTimesIn('local');
  vi.unstubAllEnvs();
});

const on = (day: number, hour: number) =>
  rowOf(exchange({ startedAt: new Date(2026, 9, day, hour).getTime() }), day * 100 + hour);

it('a day begins with its first row, also after days without any and when the clocks change', () => {
  expect(dayStarts([])).toEqual([]);
  expect(dayStarts([on(1, 23)])).toEqual([]);
  expect(dayStarts([on(1, 1), on(1, 23), on(2, 0), on(24, 5), on(25, 0), on(25, 23), on(26, 0)])).toEqual([2, 3, 4, 6]);
});

it('a day begins at the midnight of the zone that times are shown in', () => {
  vi.stubEnv('TZ', 'Asia/Tokyo');
  const at = (time: string) => rowOf(exchange({ startedAt: Date.parse(time) }), Date.parse(time));
  const rows = [at('2026-11-19T14:59:59Z'), at('2026-11-19T15:00:00Z'), at('2026-11-20T00:00:00Z')];
  expect(dayStarts(rows)).toEqual([1]);
  showTimesIn('utc');
  expect(dayStarts(rows)).toEqual([2]);
});

it('lines stand where a day begins and where marks were set, in their order', () => {
  const rows = [on(1, 22), on(2, 1), on(2, 3)];
  const at = (day: number, hour: number) => new Date(2026, 9, day, hour).getTime();
  expect(linesOf(rows, [at(1, 23), at(2, 0.5), at(2, 1), at(2, 4)])).toEqual([
    { index: 1, kind: 'mark', at: at(1, 23) },
    { index: 1, kind: 'day', at: at(2, 0) },
    { index: 1, kind: 'mark', at: at(2, 0.5) },
    // Set in the very moment in which one started: behind it.
    { index: 2, kind: 'mark', at: at(2, 1) },
    { index: 3, kind: 'mark', at: at(2, 4) },
  ]);
  expect(linesOf([], [at(1, 0)])).toEqual([{ index: 0, kind: 'mark', at: at(1, 0) }]);
});

it('rows stand one below the other, with room for the lines above them', () => {
  const layout = new ListLayout(5, 29, [2, 4, 4, 5]);
  const top = (index: number, lines: number) => index * 29 + lines * lineHeight;
  expect([0, 1, 2, 3, 4].map((index) => layout.top(index))).toEqual([
    top(0, 0),
    top(1, 0),
    top(2, 1),
    top(3, 1),
    top(4, 3),
  ]);
  expect([0, 1, 2, 3].map((line) => layout.lineTop(line))).toEqual([top(2, 0), top(4, 1), top(4, 2), top(5, 3)]);
  expect(layout.height).toBe(top(5, 4));
  expect([layout.linesWithin(0, 1), layout.linesWithin(2, 4), layout.linesWithin(4, 5)]).toEqual([
    [0, 0],
    [0, 3],
    [1, 4],
  ]);
});

it('finds the row at any height', () => {
  const places = fc
    .record({
      count: fc.integer({ min: 1, max: 60 }),
      lines: fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 8 }),
    })
    .map(({ count, lines }) => ({ count, lines: lines.filter((line) => line <= count).sort((a, b) => a - b) }));
  fc.assert(
    fc.property(places, fc.integer({ min: 0, max: 2000 }), ({ count, lines }, y) => {
      const layout = new ListLayout(count, 29, lines);
      const index = layout.indexAt(y);
      const next = index + 1 < count ? layout.top(index + 1) : Number.POSITIVE_INFINITY;
      const above = index === 0 ? Number.NEGATIVE_INFINITY : layout.top(index - 1) + 29;
      expect(y).toBeLessThan(next);
      expect(y).toBeGreaterThanOrEqual(Math.min(above, layout.top(index)));
      expect(layout.indexAt(layout.top(index))).toBe(index);
    }),
  );
});
