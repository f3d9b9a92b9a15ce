import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseExactJson, parseRequestJson, RepeatedKey } from '../../../../app/formats/wire/json.ts';

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

/** The key that a text is refused for; undefined where it is not. */
function refusedFor(text: string): string | null | undefined {
  try {
    parseRequestJson(text);
  } catch (error) {
    if (error instanceof RepeatedKey) return error.key;
    throw error;
  }
  return undefined;
}

describe('a key that stands twice in one object', () => {
  it.each([
    ['{"model":"a","model":"b"}', 'model'],
    ['{"model":"a","model":"a"}', 'model'],
    ['{ "messages" : [] ,\n\t"messages"\r\n :1}', 'messages'],
    ['{"mod\\u0065l":1,"model":2}', 'model'],
    ['{"a":{"b":[1,{"c":1,"d":{"c":2},"c":3}]}}', 'c'],
    ['[{"a":1},{"a":1,"a":1}]', 'a'],
    ['{"__proto__":1,"__proto__":2}', '__proto__'],
    ['{"":1,"":2}', ''],
    ['{"a\\\\":1,"a\\\\":2}', 'a\\'],
    ['{"a\\"":1,"a\\"":2}', 'a"'],
    ['{"1":0,"1":0}', '1'],
    ['{"a":":","b":" :","a"\n :1}', 'a'],
  ])('%s', (text, key) => expect(refusedFor(text)).toBe(key));

  it.each([
    '{"a":{"a":1},"b":[{"a":1},{"a":2}]}',
    '{"a":":","b":"\\":","c":"\\"x\\":1,\\"x\\":2","d":"{\\"a\\":1,\\"a\\":1}"}',
    '{"a":"\\\\","b":"\\\\\\"","c":",\\"a\\" :"}',
    '{"__proto__":1,"constructor":2,"toString":3}',
    '"a"',
    '":"',
    '1',
    'null',
    '[]',
    '["a","a"]',
    '[":"," \\n:","\\":","\\\\:",{"a":":"},{":":" :"}]',
    '{}',
  ])('is not there in %s', (text) => expect(refusedFor(text)).toBeUndefined());

  it('is found wherever a key of any JSON is written again, and nowhere else', () => {
    const json = fc.jsonValue({ noUnicodeString: false, maxDepth: 4 });
    fc.assert(
      fc.property(json, fc.string(), json, json, fc.integer({ min: 0, max: 2 }), (around, key, one, other, blanks) => {
        const written = (value: unknown) => JSON.stringify(value, null, blanks) ?? 'null';
        const name = JSON.stringify(key);
        expect(refusedFor(written(around))).toBeUndefined();
        expect(refusedFor(`[${written(around)},{${name}:${written(one)} , ${name} : ${written(other)}}]`)).toBe(key);
      }),
      { numRuns: 60 },
    );
  });

  it('is found among texts of nothing but the marks of JSON, and nowhere else', () => {
    const marks = fc.string({ unit: fc.constantFrom('"', '\\', ':', ' ', '\n', '{', ',') });
    const some = fc.dictionary(marks, marks, { maxKeys: 4 });
    fc.assert(
      fc.property(some, marks, fc.integer({ min: 0, max: 2 }), (object, more, blanks) => {
        const text = JSON.stringify({ ...object, more }, null, blanks);
        expect(refusedFor(text)).toBeUndefined();
        expect(refusedFor(`{"more" :${JSON.stringify(more)},${text.slice(1)}`)).toBe('more');
      }),
      { numRuns: 300 },
    );
  });

  it('is found in a body of many levels, quotes, backslashes or keys', () => {
    const deep = (inner: string) => `${'{"a":'.repeat(20_000)}${inner}${'}'.repeat(20_000)}`;
    const large = [
      [deep('1'), undefined],
      [deep('{"b":1,"b":2}'), null],
      [`{"a":"${'\\"'.repeat(300_000)}","a":1}`, 'a'],
      [`{"a":"${'\\\\'.repeat(300_000)}","a":1}`, 'a'],
      [`{${Array.from({ length: 50_000 }, (_, index) => `"k${index}":1`).join()},"k7":2}`, 'k7'],
    ] as const;
    for (const [text, key] of large) expect(refusedFor(text)).toBe(key);
  });
});
