import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EventShape } from '../../../../app/formats/answer/event-shape.ts';

const keys = ['"delta":"', '"n":', '"absent":"'];
const shapeOf = (text: string) => EventShape.of(Buffer.from(text), keys);

/** The values in a text that stands among others; null where it has another shape. */
function valuesIn(shape: EventShape | null, text: string): string[] | null {
  const [before, bytes] = [Buffer.from('before"'), Buffer.from(text)];
  const all = Buffer.concat([before, bytes, Buffer.from('"after')]);
  if (shape === null || shape.endOf(all, before.length) !== before.length + bytes.length) return null;
  const { spans } = shape;
  return shape.keys.map((_, n) => all.subarray(spans[2 * n], spans[2 * n + 1]).toString());
}

describe('EventShape', () => {
  const shape = shapeOf('{"delta":"Hi","n":7,"x":true}');

  it('knows its keys by their order, and what stands between them', () => {
    expect([shape?.keys, shape?.literals.map(String)]).toEqual([
      ['"delta":"', '"n":'],
      ['{"delta":"', '","n":', ',"x":true}'],
    ]);
  });

  const long = 'x'.repeat(200);
  it.each([
    ['{"delta":"","n":12,"x":true}', ['', '12']],
    ['{"delta":"a \\"b\\" \\\\","n":0,"x":true}', ['a \\"b\\" \\\\', '0']],
    ['{"delta":"\\"n\\":1","n":0,"x":true}', ['\\"n\\":1', '0']],
    [`{"delta":"${long}\\"${long}\\\\","n":0,"x":true}`, [`${long}\\"${long}\\\\`, '0']],
    ...[46, 47, 48, 94, 95, 96, 97].map((length): [string, string[]] => [
      `{"delta":"${long.slice(0, length)}\\"","n":0,"x":true}`,
      [`${long.slice(0, length)}\\"`, '0'],
    ]),
    ['{"delta":"ü “q”","n":0,"x":true}', ['ü “q”', '0']],
  ])('%s has it', (text, values) => {
    expect(valuesIn(shape, text)).toEqual(values);
  });

  it.each([
    '{"delta":"Hi","n":7,"x":false}',
    '{"delta":"Hi","n":7,"x":true} ',
    '{"delta":"Hi","n":7,"x":true',
    '{"delta":"Hi","n":,"x":true}',
    '{"delta":"Hi","n":-7,"x":true}',
    '{"delta":"Hi","y":1,"n":7,"x":true}',
    '{"n":7,"delta":"Hi","x":true}',
    '{"delta":"Hi',
    `{"delta":"${long}`,
    '{"delta":null,"n":7,"x":true}',
    '',
  ])('%s has another', (text) => {
    expect(valuesIn(shape, text)).toBeNull();
  });

  it('there is none of a text in which a key stands twice, or has no end', () => {
    expect(shapeOf('{"delta":"a","in":{"delta":"b"}}')).toBeNull();
    expect(shapeOf('{"delta":"a')).toBeNull();
    expect(shapeOf('{"n":true}')).toBeNull();
  });

  it('any two objects that differ in these values alone have it, and the values are JSON', () => {
    const words = fc.string({ unit: 'grapheme', maxLength: 120 });
    fc.assert(
      fc.property(words, words, fc.nat(), fc.nat(), (one, other, n, m) => {
        const written = (delta: string, number: number) => JSON.stringify({ a: '"', delta, n: number, z: [{}] });
        const values = valuesIn(shapeOf(written(one, n)), written(other, m));
        expect(values?.map((value, at) => JSON.parse(at === 0 ? `"${value}"` : value))).toEqual([other, m]);
      }),
    );
  });
});
