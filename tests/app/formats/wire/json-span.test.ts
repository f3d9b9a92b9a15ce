import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isObject } from '../../../../app/formats/wire/json.ts';
import { jsonValueSpan } from '../../../../app/formats/wire/json-span.ts';

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
