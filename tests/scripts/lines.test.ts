import { describe, expect, it } from 'vitest';
import { script } from './script.ts';

const { linesTooLong } = await script<{ linesTooLong: (text: string) => { number: number; columns: number }[] }>(
  'lines',
);

const words = (columns: number) => 'word '.repeat(columns).slice(0, columns);

describe('lines that are too long', () => {
  it('are those beyond 120 columns, counted as a reader sees them', () => {
    expect(linesTooLong(`a\n// ${words(117)}\n// ${words(118)}\n// ${'é'.repeat(117)}`)).toEqual([
      { number: 3, columns: 121 },
    ]);
  });

  it('are none where one text or pattern is long by itself', () => {
    expect(linesTooLong(`const url = '${words(130)}';\nif (/${'a|'.repeat(60)}b/.test(text)) go();`)).toEqual([]);
  });

  it('are comments, whatever they quote', () => {
    expect(linesTooLong(`  * says '${words(130)}'`)).toHaveLength(1);
  });
});
