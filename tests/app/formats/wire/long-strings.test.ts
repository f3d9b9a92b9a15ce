import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LongStrings, leftOut } from '../../../../app/formats/wire/long-strings.ts';

/** What comes out of the bytes of some lines, parted as told. */
function through(text: string, parts: readonly number[], longest: number): string {
  const bytes = new TextEncoder().encode(text);
  const out: Uint8Array[] = [];
  const cutter = new LongStrings(longest);
  let from = 0;
  for (const at of [
    ...parts.map((part) => part % (bytes.length + 1)).sort((one, other) => one - other),
    bytes.length,
  ]) {
    cutter.take(bytes.subarray(from, at), (piece) => out.push(piece));
    from = at;
  }
  return Buffer.concat(out).toString('utf8');
}

/** All texts in it, in their order, each without what says how much was left out. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [leftOut(value)?.kept ?? value];
  return Array.isArray(value) ? value.flatMap(textsOf) : [];
}

describe('strings of JSON lines that are too long', () => {
  it('are cut, with how much of them was left out, and lines that are not are passed on as they are', () => {
    const line = (output: string) => `${JSON.stringify({ id: 1, output, after: 'it' })}\n`;
    const text = `${line('short')}${line('x'.repeat(1_000))}${line('again')}`;
    const [first, second, third] = through(text, [7, 150, 600], 100).split('\n');
    expect([`${first}\n`, `${third}\n`]).toEqual([line('short'), line('again')]);
    const read = JSON.parse(second ?? '');
    expect(read).toMatchObject({ id: 1, after: 'it' });
    const found = leftOut(read.output);
    expect(found).toEqual({ kept: 'x'.repeat(100), bytes: 900 });
    expect(leftOut('x'.repeat(100))).toBeNull();
  });

  it('leave JSON that says the same but for their ends, wherever its bytes are parted', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.string({ unit: 'grapheme', maxLength: 60 }),
    );
    const value = fc.array(fc.oneof(texts, fc.integer(), fc.constant(null), fc.array(texts, { maxLength: 2 })));
    const given = [fc.array(value, { maxLength: 3 }), fc.array(fc.nat()), fc.integer({ min: 8, max: 40 })] as const;
    fc.assert(
      fc.property(...given, (lines, parts, longest) => {
        const written = lines.map((line) => `${JSON.stringify(line)}\n`);
        const came = through(written.join(''), parts, longest).split('\n').slice(0, -1);
        expect(came).toHaveLength(lines.length);
        for (const [index, line] of came.entries()) {
          const [original, read] = [textsOf(lines[index]), textsOf(JSON.parse(line))];
          if ((written[index]?.length ?? 0) <= longest / 4) expect(`${line}\n`).toBe(written[index]);
          expect(read).toHaveLength(original.length);
          for (const [nth, text] of read.entries()) {
            expect(original[nth]?.startsWith(text)).toBe(true);
            if (JSON.stringify(original[nth]).length <= longest / 4) expect(text).toBe(original[nth]);
          }
        }
      }),
    );
  });
});
