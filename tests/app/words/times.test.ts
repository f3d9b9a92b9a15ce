import { describe, expect, it } from 'vitest';
import {
  ago,
  clockTime,
  countdown,
  day,
  dayAndTime,
  dayBorder,
  duration,
  exactDuration,
  exactTime,
  firstTokenTime,
  hourAndMinute,
  isoWithOffset,
  moment,
  timeLeft,
} from '../../../app/words/times.ts';

const at = new Date(2026, 10, 20, 10, 42, 7).getTime();

describe('times', () => {
  it.each([
    [clockTime(at), '10:42:07'],
    [hourAndMinute(at), '10:42'],
    [day(new Date(2026, 11, 1).getTime()), '1 Dec 2026'],
    [dayBorder(at), 'Friday, 20 Nov 2026'],
    [dayAndTime(new Date(2026, 11, 1, 1).getTime()), '1 Dec 2026, 01:00'],
    [ago(at, at + 3_900), '3 s ago'],
    [ago(at, at + 12 * 60_000), '12 min ago'],
    [ago(at, at + 3_600_000), null],
    [ago(at, at - 5_000), '0 s ago'],
    [moment(at, at + 3_000), '10:42:07, 3 s ago'],
    [moment(at, at + 7_200_000), '10:42:07'],
    [moment(at, at + 24 * 3_600_000), '20 Nov 2026, 10:42'],
    [duration(40), '40 ms'],
    [duration(99.6), '0.1 s'],
    [duration(200), '0.2 s'],
    [duration(18_600), '18.6 s'],
    [duration(59_949), '59.9 s'],
    [duration(59_960), '1 m 00 s'],
    [duration(63_000), '1 m 03 s'],
    [duration(3_840_000), '1 h 04 m'],
    [countdown(872_000), '14:32'],
    [countdown(-5), '00:00'],
  ])('%s', (shown, wanted) => expect(shown).toBe(wanted));
});

const inDetail = new Date(2026, 10, 20, 9, 5, 7, 8).getTime();

it('a time in detail has its date and milliseconds', () => {
  expect(exactTime(inDetail)).toBe('20 Nov 2026, 09:05:07.008');
});

it('ISO 8601 with the offset of this place is the same moment', () => {
  expect(isoWithOffset(inDetail)).toMatch(/^2026-11-20T09:05:07\.008[+-]\d\d:\d\d$/);
  expect(Date.parse(isoWithOffset(inDetail))).toBe(inDetail);
});

it.each([
  [0, '0 ms'],
  [6.4, '6 ms'],
  [884, '884 ms'],
  [999.4, '999 ms'],
  [999.6, '1.00 s'],
  [1240, '1.24 s'],
  [9994, '9.99 s'],
  [9996, '10.0 s'],
  [17_380, '17.4 s'],
  [59_960, '1 m 00 s'],
  [63_000, '1 m 03 s'],
  [3_840_000, '1 h 04 m'],
])('%d ms are %s', (ms, words) => {
  expect(exactDuration(ms)).toBe(words);
});

it.each([
  [440, '0.44 s'],
  [1240, '1.24 s'],
  [75_000, '1 m 15 s'],
])('a first token after %d ms: %s', (ms, words) => {
  expect(firstTokenTime(ms)).toBe(words);
});

it.each([
  [1, '1 min'],
  [60 * 60_000, '1 h'],
  [119.5 * 60_000, '2 h'],
  [134 * 60_000, '2 h 14 min'],
  [24 * 3_600_000, '1 d'],
  [76 * 3_600_000, '3 d 4 h'],
])('%d ms are left: %s', (ms, words) => {
  expect(timeLeft(ms)).toBe(words);
});
