import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RepeatedKey, refuseRepeatedKey } from '../../../../app/formats/wire/repeated-key.ts';

/** The key that a text is refused for; undefined where it is not. */
function refusedFor(text: string): string | null | undefined {
  try {
    refuseRepeatedKey(text, JSON.parse(text));
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
