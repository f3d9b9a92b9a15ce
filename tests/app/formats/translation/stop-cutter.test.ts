import fc from 'fast-check';
import { expect, it } from 'vitest';
import { StopCutter } from '../../../../app/formats/translation/stop-cutter.ts';

function cut(sequences: string[], pieces: string[]): { text: string; hit: string | null } {
  const cutter = new StopCutter(sequences);
  let text = '';
  for (const piece of pieces) {
    const step = cutter.push(piece);
    text += step.text;
    if (step.hit !== null) return { text, hit: step.hit };
  }
  return { text: text + cutter.flush(), hit: null };
}

it('cuts a sequence that comes in pieces, and gives back a beginning that was none', () => {
  expect(cut(['</block>'], ['yes</bl', 'ock>no'])).toEqual({ text: 'yes', hit: '</block>' });
  expect(cut(['</block>'], ['a </b', '> b </'])).toEqual({ text: 'a </b> b </', hit: null });
  expect(cut(['STOP', 'TO'], ['S', 'TOP'])).toEqual({ text: 'S', hit: 'TO' });
  expect(cut([''], ['text'])).toEqual({ text: 'text', hit: null });
});

it('cuts where the whole text would be cut, whatever the pieces', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 12 });
  const stop = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(fc.uniqueArray(stop, { maxLength: 3 }), fc.array(letters), (sequences, pieces) => {
      expect(cut(sequences, pieces)).toEqual(cut(sequences, [pieces.join('')]));
    }),
  );
  fc.assert(
    fc.property(stop, fc.array(letters), (sequence, pieces) => {
      const whole = pieces.join('');
      const found = whole.indexOf(sequence);
      const expected = found === -1 ? { text: whole, hit: null } : { text: whole.slice(0, found), hit: sequence };
      expect(cut([sequence], pieces)).toEqual(expected);
    }),
  );
});

it('of many sequences the first one counts that is complete, and the longest of those that end there', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 30 });
  const stop = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(fc.array(stop, { minLength: 1, maxLength: 6 }), letters, (sequences, text) => {
      let expected: { text: string; hit: string | null } = { text, hit: null };
      for (let end = 1; end <= text.length && expected.hit === null; end += 1) {
        const ending = sequences.filter((sequence) => text.slice(0, end).endsWith(sequence));
        const [hit] = ending.sort((one, other) => other.length - one.length);
        if (hit !== undefined) expected = { text: text.slice(0, end - hit.length), hit };
      }
      expect(cut(sequences, [...text])).toEqual(expected);
    }),
  );
});

it('looks at each character once, however many sequences there are', () => {
  const many = 80_000;
  const began = performance.now();
  const sequences = Array.from({ length: many }, (_, n) => `stop ${n}.`);
  const text = 'a stop 7 that is none, '.repeat(many / 10);
  expect(cut(sequences, [text, 'stop 79999', '.'])).toEqual({ text, hit: 'stop 79999.' });
  expect(performance.now() - began).toBeLessThan(20_000);
});

it('looks at each character once, however long a sequence is and however much of it stands in the text', () => {
  // Each piece and each end may begin the sequence: a search from every place would look at 5 · 10^9 characters.
  const length = 100_000;
  const sequence = `${'a'.repeat(length)}b`;
  const pieces = Array.from({ length }, () => 'aa');
  const began = performance.now();
  expect(cut([sequence], [...pieces, 'c'])).toEqual({ text: `${'a'.repeat(2 * length)}c`, hit: null });
  expect(performance.now() - began).toBeLessThan(20_000);
});
