import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isObject, type JsonObject, parseRequestJson } from '../../../../app/formats/wire/json.ts';
import { jsonValueSpan, parseInSlices, writeSpliced } from '../../../../app/formats/wire/json-bytes.ts';

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

describe('a request read in slices', () => {
  const filler = 'x'.repeat(30_000);
  const turns = (count: number): string =>
    Array.from({ length: count }, (_, at) => `{"role":"user","content":"${at}${filler}"}`).join(',\n');

  /** What it is, or why it can't be said, and in how many pieces it was read. */
  function read(text: string): { value: unknown; slices: number } {
    const reading = parseInSlices(Buffer.from(text));
    for (let slices = 0; ; slices++) {
      const { done, value } = reading.next();
      if (done) return { value, slices };
    }
  }

  it.each([
    ['messages', `{"model":"a","messages":[${turns(20)}],"tools":[{"name":"b"}]}`],
    ['input', ` { "input": [ ${turns(20).replaceAll('"role"', '"type"')} ] , "model" : "a" } `],
    ['turns with lists of turns', `{"messages":[${`{"role":"user","a":[${turns(3)}]},`.repeat(9)}${turns(1)}]}`],
    ['keys like numbers behind it', `{"model":"a","messages":[${turns(20)}],"7":{"__proto__":[]}}`],
  ])('is what it is in one piece, keys in their order: %s', (_, text) => {
    const { value, slices } = read(text);
    expect(slices).toBeGreaterThan(5);
    expect(JSON.stringify(value)).toBe(JSON.stringify(parseRequestJson(text)));
  });

  it.each([
    ['nothing behind a comma', `{"messages":[${turns(3)},]}`],
    ['nothing between commas', `{"messages":[${turns(3)},,${turns(1)}]}`],
    ['nothing but a comma', '{"messages":[,]}'],
    ['no comma', `{"messages":[${turns(3)} ${turns(1)}]}`],
    ['a bracket of the other kind', `{"messages":[${turns(3)},{"role":"user"]]}`],
    ['no end', `{"messages":[${turns(3)}`],
    ['no end of the object', `{"messages":[${turns(3)}]`],
    ['something behind it', `{"messages":[${turns(3)}]} x`],
    ['a comma before the first name', `{,"messages":[${turns(3)}]}`],
    ['no colon', `{"messages" [${turns(3)}]}`],
    ['another list of that name', `{"messages":[${turns(3)}],"messages":[]}`],
    ['another list of that name, escaped', `{"m\\u0065ssages":[],"messages":[${turns(3)}]}`],
    ['a key twice in a turn', `{"messages":[${turns(3)},{"role":"user","role":"user","content":""}]}`],
    ['a number too long', `{"messages":[${turns(3)},{"role":"user","content":[{"input":{"n":12345678901234567}}]}]}`],
    ['a list', `[${turns(3)}]`],
    ['no such list', `{"a":[${turns(3)}]}`],
    ['a longer list of another name', `{"messages":[],"7":[${turns(9)}]}`],
    ['another one within', `{"a":{"messages":[${turns(9)}]}}`],
    ['a key on both sides of it', `{"a":1,"messages":[${turns(9)}],"a":1}`],
    ['a text that reads like it', `{"a":"\\"messages\\":[${JSON.stringify(turns(9)).slice(1, -1)}"}`],
    ['no slice but within a turn', `{"messages":[{"role":"user","a":[${turns(99)}]}]}`],
  ])('is left to be read in one piece: %s', (_, text) => {
    const value = ((): unknown => {
      try {
        return read(text).value;
      } catch {
        return null;
      }
    })();
    expect(value).toBeNull();
  });

  it('never is anything but what it is in one piece', () => {
    const text = fc
      .json({ maxDepth: 3 })
      .map((inner) => `{"model":"a","messages":[${inner},${turns(6)},${inner}],"n":${inner}}`);
    const broken = fc
      .tuple(text, fc.nat(), fc.constantFrom('', ',', '"', '[', ']', '{', '}', '\\', ' ', '1'))
      .map(([whole, at, piece]) => {
        // Near either end, where a fault is not within the filler.
        const from = at % 2 === 0 ? at % 60 : whole.length - (at % 60);
        return whole.slice(0, from) + piece + whole.slice(from + (at % 3));
      });
    fc.assert(
      fc.property(fc.oneof(text, broken), (given) => {
        let value: unknown = null;
        try {
          value = read(given).value;
        } catch {
          return;
        }
        if (value !== null) expect(JSON.stringify(value)).toBe(JSON.stringify(parseRequestJson(given)));
      }),
      { numRuns: 500 },
    );
  });
});
