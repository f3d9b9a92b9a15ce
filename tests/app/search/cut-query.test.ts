import { describe, expect, it } from 'vitest';
import { cutQuery } from '../../../app/search/cut-query.ts';

describe('cutQuery', () => {
  it.each([
    ['as it is', 'two words', 20, null, 'two words', false],
    ['blanks and line ends become one blank', '  two \n\t words ', 20, null, 'two words', false],
    ['exactly as long as it may be', 'two words', 9, null, 'two words', false],
    ['one character too long', 'two words', 8, null, 'two', true],
    ['too many words', 'a b c d', 20, 3, 'a b c', true],
    ['one word that is too long', 'abcdefgh', 3, null, 'abc', true],
    ['never half a character', 'ab😀cd', 3, null, 'ab', true],
    ['nothing', ' ', 3, null, '', false],
  ])('%s', (_what, query, characters, words, kept, cut) => {
    expect(cutQuery(query, { characters, words })).toEqual({ query: kept, cut });
  });
});
