import fc from 'fast-check';
import { afterEach, expect, it, vi } from 'vitest';
import { showTimesIn } from '../../../app/words/zone.ts';
import { dayHeight, dayStarts, ListLayout } from '../../../renderer/requests/list-layout.ts';
import { rowOf } from '../../../renderer/requests/row.ts';
import { exchange } from '../example-exchanges.ts';

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

it('rows stand one below the other, with room for the line of a day above its first', () => {
  const layout = new ListLayout(5, 29, [2, 4]);
  expect([0, 1, 2, 3, 4].map((index) => layout.top(index))).toEqual([
    0,
    29,
    58 + dayHeight,
    87 + dayHeight,
    116 + 2 * dayHeight,
  ]);
  expect(layout.height).toBe(5 * 29 + 2 * dayHeight);
  expect([0, 2, 3, 4].map((index) => layout.startsDay(index))).toEqual([false, true, false, true]);
});

it('finds the row at any height', () => {
  const places = fc
    .record({
      count: fc.integer({ min: 1, max: 60 }),
      days: fc.uniqueArray(fc.integer({ min: 1, max: 59 }), { maxLength: 8 }),
    })
    .map(({ count, days }) => ({ count, days: days.filter((day) => day < count).sort((a, b) => a - b) }));
  fc.assert(
    fc.property(places, fc.integer({ min: 0, max: 2000 }), ({ count, days }, y) => {
      const layout = new ListLayout(count, 29, days);
      const index = layout.indexAt(y);
      const next = index + 1 < count ? layout.top(index + 1) : Number.POSITIVE_INFINITY;
      const above = index === 0 ? Number.NEGATIVE_INFINITY : layout.top(index - 1) + 29;
      expect(y).toBeLessThan(next);
      expect(y).toBeGreaterThanOrEqual(Math.min(above, layout.top(index)));
      expect(layout.indexAt(layout.top(index))).toBe(index);
    }),
  );
});
