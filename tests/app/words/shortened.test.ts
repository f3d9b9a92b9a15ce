import { describe, expect, it } from 'vitest';
import { cutAt, shortened } from '../../../app/words/shortened.ts';

describe('shortened', () => {
  it.each([
    ['as it is', 'abc', 3, 'abc'],
    ['one too many', 'abcd', 3, 'ab…'],
    ['no blank before the ellipsis', 'a bcd', 3, 'a…'],
    ['never half a character', 'a😀bcd', 3, 'a…'],
    ['a whole one', 'a😀bcd', 4, 'a😀…'],
  ])('%s', (_what, text, most, kept) => {
    expect(shortened(text, most)).toBe(kept);
  });
});

it('a text is cut before a pair that would be parted, and nowhere else before its place', () => {
  expect([0, 1, 2, 3, 4, 9].map((place) => cutAt('a😀😀', place))).toEqual([0, 1, 1, 3, 3, 9]);
});
