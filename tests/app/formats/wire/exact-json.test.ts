import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseExactJson, parseRequestJson } from '../../../../app/formats/wire/exact-json.ts';

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

describe('a request', () => {
  const id = '12345678901234567890';
  const written = (text: string) => JSON.stringify(parseRequestJson(text));

  it.each([
    `{"messages":[{"role":"assistant","content":[{"type":"text","text":"a"},{"type":"tool_use","input":{"ids":[${id},{"a":${id}}]}}]}]}`,
    `{"seed":${id}}`,
    `{"tools":[{"name":"a"},{"name":"b","input_schema":{"enum":[${id}]}}]}`,
    `{"output_config":{"effort":"high","format":{"type":"json_schema","schema":{"const":${id}}}}}`,
    `{"tools":[{"type":"function","function":{"name":"a","parameters":{"enum":[${id}]}}}]}`,
    `{"tools":[{"type":"function","name":"a","parameters":{"enum":[${id}]}}]}`,
    `{"tools":[{"type":"namespace","name":"a","tools":[{"type":"function","parameters":{"enum":[${id}]}}]}]}`,
    `{"response_format":{"type":"json_schema","json_schema":{"name":"a","schema":{"const":${id}}}}}`,
    `{"text":{"format":{"type":"json_schema","schema":{"const":${id}}}}}`,
  ])('what passes through keeps its digits: %s', (text) => expect(written(text)).toBe(text));

  it('what is reckoned with is a number, however it was written', () => {
    const text = `{"max_tokens":${id},"top_k":${id},"thinking":{"budget_tokens":${id}},"tools":[{"input_schema":${id}},${id}],"messages":[{"content":[{"input":${id}}]},${id}]}`;
    expect(parseRequestJson(text)).toEqual(JSON.parse(text));
  });

  it.each([
    '{"later":1e400}',
    '{"later":{"a":[-1e999,{"b":1e400}]}}',
    '{"messages":[{"content":[{"type":"text","text":"a","later":1e400}]}]}',
  ])('a number beyond the range of a double keeps its digits in a field unknown today: %s', (text) =>
    expect(written(text)).toBe(text),
  );

  it('that is no object', () => {
    expect(parseRequestJson(`[${id}]`)).toEqual([Number(id)]);
    expect(() => parseRequestJson('{')).toThrow(SyntaxError);
  });
});
