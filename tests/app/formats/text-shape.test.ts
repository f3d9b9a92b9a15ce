import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TextShape } from '../../../app/formats/text-shape.ts';

const keys = ['"delta":"', '"n":', '"absent":"'];

describe('TextShape', () => {
  const shape = TextShape.of('{"delta":"Hi","n":7,"x":true}', keys);

  it('knows its keys by their order, and what stands between them', () => {
    expect([shape?.keys, shape?.literals]).toEqual([
      ['"delta":"', '"n":'],
      ['{"delta":"', '","n":', ',"x":true}'],
    ]);
  });

  it.each([
    ['{"delta":"","n":12,"x":true}', ['', '12']],
    ['{"delta":"a \\"b\\" \\\\","n":0,"x":true}', ['a \\"b\\" \\\\', '0']],
    ['{"delta":"\\"n\\":1","n":0,"x":true}', ['\\"n\\":1', '0']],
  ])('%s has it', (text, values) => {
    expect(shape?.values(text)).toEqual(values);
  });

  it.each([
    '{"delta":"Hi","n":7,"x":false}',
    '{"delta":"Hi","n":7,"x":true} ',
    '{"delta":"Hi","n":,"x":true}',
    '{"delta":"Hi","n":-7,"x":true}',
    '{"delta":"Hi","y":1,"n":7,"x":true}',
    '{"n":7,"delta":"Hi","x":true}',
    '{"delta":"Hi',
    '{"delta":null,"n":7,"x":true}',
    '',
  ])('%s has another', (text) => {
    expect(shape?.values(text)).toBeNull();
  });

  it('there is none of a text in which a key stands twice, or has no end', () => {
    expect(TextShape.of('{"delta":"a","in":{"delta":"b"}}', keys)).toBeNull();
    expect(TextShape.of('{"delta":"a', keys)).toBeNull();
    expect(TextShape.of('{"n":true}', keys)).toBeNull();
  });

  it('any two objects that differ in these values alone have it, and the values are JSON', () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ unit: 'grapheme' }), fc.nat(), fc.nat(), (one, other, n, m) => {
        const written = (delta: string, number: number) => JSON.stringify({ a: '"', delta, n: number, z: [{}] });
        const values = TextShape.of(written(one, n), keys)?.values(written(other, m));
        expect(values?.map((value, at) => JSON.parse(at === 0 ? `"${value}"` : value))).toEqual([other, m]);
      }),
    );
  });
});
