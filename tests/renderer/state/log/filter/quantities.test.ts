import { afterEach, describe, expect, it, vi } from 'vitest';
import { showTimesIn } from '../../../../../app/words/times.ts';
import {
  inRange,
  readDuration,
  readFigure,
  readMoment,
  readRange,
} from '../../../../../renderer/state/log/filter/quantities.ts';

const now = new Date(2026, 10, 20, 10, 42, 7).getTime();

afterEach(() => {
  showTimesIn('local');
  vi.unstubAllEnvs();
});

it.each([
  ['7', 7],
  ['.5', 0.5],
  ['100k', 100_000],
  ['1.5M', 1_500_000],
  ['', null],
  ['k', null],
  ['1e5', null],
])('figure %j is %j', (text, value) => {
  expect(readFigure(text)).toBe(value);
});

it.each([
  ['500ms', 500],
  ['10s', 10_000],
  ['10', 10_000],
  ['1.5m', 90_000],
  ['2h', 7_200_000],
  ['1x', null],
])('duration %j is %j ms', (text, value) => {
  expect(readDuration(text)).toBe(value);
});

describe('a range', () => {
  it.each([
    ['>1', [1.1], [1, 0]],
    ['>=1', [1, 2], [0.9]],
    ['<500', [499], [500]],
    ['<=0.5', [0.5], [0.6]],
    ['10..20', [10, 15, 20], [9, 21]],
    ['=3', [3], [2, 4]],
    ['3', [3], [2.9]],
  ])('%s', (text, inside, outside) => {
    const range = readRange(text, readFigure);
    if (range === null) throw new Error('no range');
    expect(inside.map((value) => inRange(value, range))).toEqual(inside.map(() => true));
    expect(outside.map((value) => inRange(value, range))).toEqual(outside.map(() => false));
  });

  it.each(['', '>', 'a..b', '1..', 'abc'])('%j is none', (text) => {
    expect(readRange(text, readFigure)).toBeNull();
  });
});

describe('a moment', () => {
  const local = (...parts: [number, number, number, number?, number?, number?, number?]) =>
    new Date(...parts).getTime();
  it.each([
    ['2026-11-20', local(2026, 10, 20), local(2026, 10, 20, 23, 59, 59, 999)],
    ['2026-11-20T10:00', local(2026, 10, 20, 10), local(2026, 10, 20, 10, 0, 59, 999)],
    ['10:00', local(2026, 10, 20, 10), local(2026, 10, 20, 10, 0, 59, 999)],
    ['10:00:05', local(2026, 10, 20, 10, 0, 5), local(2026, 10, 20, 10, 0, 5, 999)],
    ['today', local(2026, 10, 20), local(2026, 10, 20, 23, 59, 59, 999)],
    ['yesterday', local(2026, 10, 19), local(2026, 10, 19, 23, 59, 59, 999)],
    ['-2h', now - 7_200_000, now - 7_200_000],
    ['-1d', now - 86_400_000, now - 86_400_000],
  ])('%s', (text, from, to) => {
    expect(readMoment(text, now)).toEqual({ from, to });
  });

  it('is meant in the zone that times are shown in', () => {
    vi.stubEnv('TZ', 'Asia/Tokyo');
    showTimesIn('utc');
    const at = Date.parse('2026-11-20T20:00:00Z');
    const span = (from: string, to: string) => ({ from: Date.parse(from), to: Date.parse(to) });
    expect(readMoment('2026-11-20', at)).toEqual(span('2026-11-20T00:00:00Z', '2026-11-20T23:59:59.999Z'));
    expect(readMoment('2026-11-30T10:00', at)).toEqual(span('2026-11-30T10:00:00Z', '2026-11-30T10:00:59.999Z'));
    // There it is the 21st already.
    expect(readMoment('10:00', at)).toEqual(span('2026-11-20T10:00:00Z', '2026-11-20T10:00:59.999Z'));
  });

  it.each(['', 'tomorrow', '2h', '2026-11'])('%j is none', (text) => {
    expect(readMoment(text, now)).toBeNull();
  });
});
