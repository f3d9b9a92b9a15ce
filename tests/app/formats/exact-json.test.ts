import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseExactJson } from '../../../app/formats/exact-json.ts';

const again = (text: string) => JSON.stringify(parseExactJson(text));

describe('numbers keep their digits', () => {
  const kept = [
    '{"id":1234567890123456789}',
    '{"id":-9007199254740993,"b":[12345678901234567890,1]}',
    '[1e400,-1e999]',
    '{"a":{"b":[{"c":98765432109876543210}]}}',
    '{"a":9007199254740991}',
  ];
  for (const text of kept) it(text, () => expect(again(text)).toBe(text));

  it('where a blank stands before them', () => {
    expect(again('{"id": 1234567890123456789, "b":\n[ 12345678901234567890 ]}')).toBe(
      '{"id":1234567890123456789,"b":[12345678901234567890]}',
    );
  });

  it('a text that looks so stays a text, and __proto__ a key', () => {
    const text = '{"text":", 12345678901234567890","__proto__":{"id":12345678901234567890}}';
    expect(again(text)).toBe(text);
    expect(Object.getPrototypeOf(parseExactJson(text))).toBe(Object.prototype);
  });
});

it('all else is read as JSON.parse does', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      expect(again(text)).toBe(JSON.stringify(JSON.parse(text)));
    }),
  );
  expect(parseExactJson('{"a":1.5,"b":[1,2e2,"x"],"c":null}')).toEqual({ a: 1.5, b: [1, 200, 'x'], c: null });
  expect(() => parseExactJson('{"a":12345678901234567890')).toThrow(SyntaxError);
});
