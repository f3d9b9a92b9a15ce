import { expect, it } from 'vitest';
import { exactDuration, exactTime, firstTokenTime, isoWithOffset } from '../../../app/words/exact-times.ts';

const at = new Date(2026, 10, 20, 9, 5, 7, 8).getTime();

it('a time in detail has its date and milliseconds', () => {
  expect(exactTime(at)).toBe('20 Nov 2026, 09:05:07.008');
});

it('ISO 8601 with the offset of this place is the same moment', () => {
  expect(isoWithOffset(at)).toMatch(/^2026-11-20T09:05:07\.008[+-]\d\d:\d\d$/);
  expect(Date.parse(isoWithOffset(at))).toBe(at);
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
