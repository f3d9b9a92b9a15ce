import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonEnd } from '../../../../app/formats/chat/tool-calls.ts';
import { isObject } from '../../../../app/formats/wire/json.ts';

function isObjectText(text: string): boolean {
  try {
    return isObject(JSON.parse(text));
  } catch {
    return false;
  }
}

describe('JsonEnd', () => {
  it('says of any pieces what parsing all of them would say', () => {
    const text = fc.oneof(
      fc.json({ maxDepth: 3 }),
      fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 })).map((value) => JSON.stringify(value)),
      fc.string({ unit: fc.constantFrom('{', '}', '[', ']', '"', '\\', ':', 'a', ' ', '1') }),
    );
    fc.assert(
      fc.property(fc.array(text, { maxLength: 3 }), fc.nat(7), (texts, step) => {
        const whole = texts.join(' ');
        const end = new JsonEnd();
        for (let at = 0; at < whole.length; at += step + 1) {
          end.add(whole.slice(at, at + step + 1));
          expect(end.isWhole()).toBe(isObjectText(whole.slice(0, at + step + 1)));
        }
      }),
    );
  });

  it.each(['}', '"}', '{}', ' '])('looks at every character once: %j', (piece) => {
    const end = new JsonEnd();
    end.add('{"a":"');
    const began = performance.now();
    for (let n = 0; n < 200_000; n++) {
      end.add(piece);
      end.isWhole();
    }
    expect(performance.now() - began).toBeLessThan(5000);
  });
});
