import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isObject, type JsonObject } from '../../../../app/formats/wire/json.ts';
import { jsonValueSpan, writeSpliced } from '../../../../app/formats/wire/json-bytes.ts';

describe('the place of a value in bytes', () => {
  const at = (text: string, path: string[]) => {
    const bytes = Buffer.from(text);
    const span = jsonValueSpan(bytes, path);
    return span === null ? null : bytes.toString('utf8', span.start, span.end);
  };

  it.each([
    ['{"message":{"model":"x"}}', '"x"'],
    ['{"model":"no","message":{"content":[{"model":"no"}],"model":"x","usage":{"model":"no"}}}', '"x"'],
    [' { "message" : { "a" : "}\\"{" , "model" : "x" } } ', '"x"'],
    ['{"message":{"model":"x","model":"y"}}', '"y"'],
    ['{"message":{"mod\\u0065l":"x"}}', '"x"'],
    ['{"message":{"n":-1.5e3,"t":true,"z":null,"model":"ä…"}}', '"ä…"'],
    ['{"message":{}}', null],
    ['{"message":"model"}', null],
    ['{}', null],
  ])('%s', (text, expected) => {
    expect(at(text, ['message', 'model'])).toBe(expected);
  });

  it('finds the same value as JSON.parse in any object', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), fc.nat(3), (object, indent) => {
        const text = JSON.stringify(object, null, indent);
        const parsed: unknown = JSON.parse(text);
        for (const key of Object.keys(object)) {
          const found = at(text, [key]);
          expect(found).not.toBeNull();
          expect(JSON.parse(found ?? '')).toEqual(isObject(parsed) ? parsed[key] : undefined);
        }
      }),
    );
  });
});

describe('a request written with the bytes of what did not change', () => {
  const long = 'x'.repeat(20_000);

  /** Reads a text, changes the top and writes it again. */
  function spliced(text: string, change: (request: JsonObject) => JsonObject = (request) => request): string {
    const request: JsonObject = JSON.parse(text);
    return writeSpliced(change(request), { request, bytes: Buffer.from(text) }).toString();
  }

  /** `1.0` is written `1` where it is serialised anew. */
  const messages = (text: string): string => `[{"role":"user","n":1.0,"content":${JSON.stringify(text)}}]`;

  describe('a large value that did not change', () => {
    it('is copied as it came; what changed is written, what was left out is not', () => {
      const text = `{"model":"a","messages":${messages(long)},"metadata":{"user_id":"u"},"tools":[{"k":2.0,"d":"e"}],"stream":true}`;
      const written = spliced(text, ({ metadata, ...rest }) => ({ ...rest, model: 'b', max_tokens: 5 }));
      expect(written).toBe(
        `{"model":"b","messages":${messages(long)},"tools":[{"k":2.0,"d":"e"}],"stream":true,"max_tokens":5}`,
      );
    });

    it('may stand first, last, alone, or among blanks', () => {
      for (const text of [
        `{"messages":${messages(long)},"model":"a"}`,
        `{"model":"a","messages":${messages(long)}}`,
        `{"messages":${messages(long)}}`,
        `\n{ "model": "a",\n "messages": ${messages(long)} ,\t"stream": true }\n`,
      ])
        expect(spliced(text)).toContain(`"messages":${messages(long)}`);
    });

    it('is written anew when it is another value', () => {
      const text = `{"messages":${messages(long)},"model":"a"}`;
      expect(spliced(text, (request) => ({ ...request, messages: [{ role: 'user', content: 'hi' }] }))).toBe(
        '{"messages":[{"role":"user","content":"hi"}],"model":"a"}',
      );
    });

    it('keeps characters of any kind', () => {
      const said = `${long} “Überlastet” \u{1f600} \u0007 "\\" ${long}\u{1f600}`;
      const text = `{"messages":${messages(said)},"model":"a"}`;
      expect(spliced(text)).toBe(text);
    });
  });

  describe('the place of a value is certain', () => {
    it.each([
      ['a name that stands within, too', `{"tools":[{"messages":[1]}],"messages":${messages(long)}}`],
      ['the next name that stands within, too', `{"messages":${messages(long)},"x":{"tools":0},"tools":1}`],
      ['the same name twice', `{"messages":[{"n":1}],"a":[0],"messages":${messages(long)},"model":"a"}`],
      ['a name with an escape', `{"x":{"messages":[1]},"m\\u0065ssages":${messages(long)}}`],
      ['a blank before the colon', `{"messages" :${messages(long)},"model":"a"}`],
      ['names that are numbers and come in another order', `{"messages":${messages(long)},"1":[2],"tools":[1]}`],
      ['a name that objects have of themselves', `{"toString":[1],"__proto__":[2],"messages":${messages(long)}}`],
      [
        'a name in the words of a prompt',
        `{"messages":${messages(`${long} {"messages":[],"model":"b"}`)},"model":"a"}`,
      ],
      [
        'quotation marks and backslashes in a row',
        `{"messages":${messages(`${'\\'.repeat(99)}"${long}"\\`)},"model":"a"}`,
      ],
      [
        'plain values of any kind around it',
        `{"a":null,"b":-1.5e3 ,"c":true,"d":"","messages":${messages(long)},"e":{}}`,
      ],
    ])('%s', (_, text) => {
      const written = spliced(text);
      expect(JSON.parse(written)).toEqual(JSON.parse(text));
      expect(written).toContain('"n":1.0,');
    });

    it('what is too deep is left to the serialiser, which may fail', () => {
      const deep = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
      expect(spliced(`{"a":${deep(400)},"messages":${messages(long)}}`)).toContain('"n":1.0,');
      expect(spliced(`{"a":${deep(600)},"messages":${messages(long)}}`)).toContain('"n":1,');
      expect(() => spliced(`{"a":${deep(300_000)},"messages":${messages(long)}}`)).toThrow(RangeError);
    });

    it('a small body is written anew', () => {
      expect(spliced(`{"messages":${messages('short')}}`)).toBe(
        '{"messages":[{"role":"user","n":1,"content":"short"}]}',
      );
    });
  });

  it('is always the same JSON, whatever the request and its serialiser', () => {
    const name = fc.constantFrom('messages', 'tools', 'system', 'model', 'metadata', 'a', '1', 'm\u00e9', 'x y');
    const value = fc.jsonValue({ maxDepth: 3 });
    const nested = fc.dictionary(name, value, { maxKeys: 3 });
    const request = fc.dictionary(name, fc.oneof(value, nested, fc.array(nested, { maxLength: 3 })), { maxKeys: 6 });
    fc.assert(
      fc.property(request, fc.array(name), nested, fc.constantFrom(0, 1, '\t'), (given, left, added, space) => {
        const text = JSON.stringify({ pad: [long], ...given }, null, space);
        const written = spliced(text, (read) => {
          const changed = { ...read, ...added };
          for (const one of left) delete changed[one];
          return changed;
        });
        const expected: JsonObject = { ...JSON.parse(text), ...added };
        for (const one of left) delete expected[one];
        expect(JSON.parse(written)).toEqual(JSON.parse(JSON.stringify(expected)));
        if (space === 0) expect(written).toBe(JSON.stringify(expected));
      }),
      { numRuns: 300 },
    );
  });
});
