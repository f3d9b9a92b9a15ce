import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nearest, readTerms, withTerm, writeTerm } from '../../../../../renderer/state/log/filter/language.ts';

describe('terms of a query', () => {
  it.each([
    ['', []],
    ['  ', []],
    ['opus', [{ key: null, negated: false, values: ['opus'], start: 0, end: 4 }]],
    ['model:Opus', [{ key: 'model', negated: false, values: ['opus'], start: 0, end: 10 }]],
    ['-is:error', [{ key: 'is', negated: true, values: ['error'], start: 0, end: 9 }]],
    ['is:cut,left', [{ key: 'is', negated: false, values: ['cut', 'left'], start: 0, end: 11 }]],
    ['reason:"tool results"', [{ key: 'reason', negated: false, values: ['tool results'], start: 0, end: 21 }]],
    ['"too long"', [{ key: null, negated: false, values: ['too long'], start: 0, end: 10 }]],
    ['a,b', [{ key: null, negated: false, values: ['a,b'], start: 0, end: 3 }]],
    ['model:', []],
    ['model:,', []],
    ['-', []],
    [
      ' took:>10s  x',
      [
        { key: 'took', negated: false, values: ['>10s'], start: 1, end: 10 },
        { key: null, negated: false, values: ['x'], start: 12, end: 13 },
      ],
    ],
    ['after:2026-11-20T10:00', [{ key: 'after', negated: false, values: ['2026-11-20t10:00'], start: 0, end: 22 }]],
    ['is:"unclosed x', [{ key: 'is', negated: false, values: ['unclosed x'], start: 0, end: 14 }]],
  ])('%j', (query, terms) => {
    expect(readTerms(query)).toEqual(terms);
  });

  it('any text can be read, and each term stands where it says', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', ':', '-', ',', '"', ' ', '>', 'ü', '\n') }), (query) => {
        let end = 0;
        for (const term of readTerms(query)) {
          expect(term.start).toBeGreaterThanOrEqual(end);
          expect(term.values.length).toBeGreaterThan(0);
          end = term.end;
        }
        expect(end).toBeLessThanOrEqual(query.length);
      }),
    );
  });

  it('what is written is read back', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1 }).filter((text) => text.replaceAll('"', '').trim() !== ''),
        (value) => {
          const [term] = readTerms(writeTerm('model', value));
          expect(term).toMatchObject({ key: 'model', values: [value.replaceAll('"', '').trim().toLowerCase()] });
        },
      ),
    );
  });
});

it('a term takes the place of those of its key', () => {
  expect(withTerm('model:opus session:a -session:b is:cut', 'session', '7f3a')).toBe('model:opus is:cut session:7f3a');
});

it.each([
  ['modle', 'model'],
  ['mod', 'model'],
  ['sesion', 'session'],
  ['xyzzy', null],
])('the nearest to %s is %s', (typed, expected) => {
  expect(nearest(typed, ['model', 'session', 'is'])).toBe(expected);
});
