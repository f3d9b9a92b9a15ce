import { expect, it } from 'vitest';
import { linesOf, piecesOf, placesOf } from '../../../../renderer/requests/detail/find-in-text.ts';

it('pieces are the text, end with a line, and are never longer than a browser likes', () => {
  const text = `${'a line of forty characters, more or less\n'.repeat(2_000)}${'x'.repeat(200_000)}\nend`;
  const pieces = piecesOf(text);
  expect(pieces.join('')).toBe(text);
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(64_000);
  expect(pieces.slice(0, 5).every((piece) => piece.endsWith('\n'))).toBe(true);
  expect(piecesOf('')).toEqual([]);
});

it('words are found in every piece, whatever their case', () => {
  expect(placesOf(['One one', 'none'], 'ONE')).toEqual([
    { piece: 0, from: 0, to: 3 },
    { piece: 0, from: 4, to: 7 },
    { piece: 1, from: 1, to: 4 },
  ]);
  expect(placesOf(['aaa'], 'aa')).toEqual([{ piece: 0, from: 0, to: 2 }]);
  expect(placesOf(['text'], '')).toEqual([]);
  expect(placesOf(['a'.repeat(9_000)], 'a')).toHaveLength(5_000);
});

it('a letter that grows in its other case moves no place', () => {
  // The capital I with a dot is two characters long in lower case.
  const [place] = placesOf(['İİİ needle'], 'needle');
  expect('İİİ needle'.slice(place?.from, place?.to)).toBe('needle');
});

it('lines are told by how they begin', () => {
  expect(linesOf(['model\n− "a"\n+ "b"\n', '+ c'], '+ ')).toEqual([
    { piece: 0, from: 12, to: 17 },
    { piece: 1, from: 0, to: 3 },
  ]);
});
