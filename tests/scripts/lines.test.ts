import { describe, expect, it } from 'vitest';
import { script } from './script.ts';

type Look = (text: string) => { number: number; columns: number }[];
const { linesTooLong, linesTooLongInDocument } = await script<{ linesTooLong: Look; linesTooLongInDocument: Look }>(
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

describe('lines of a document that are too long', () => {
  it('are those that could be parted: sentences, items of a list, what is typed', () => {
    expect(linesTooLongInDocument(`${words(121)}\n- ${words(119)}\n${words(120)}\nrun \`${words(130)}\``)).toEqual([
      { number: 1, columns: 121 },
      { number: 2, columns: 121 },
      { number: 4, columns: 136 },
    ]);
  });

  it('are no headings, rows of tables, pictures, addresses and paragraphs without spaces', () => {
    const long = 'a'.repeat(130);
    expect(
      linesTooLongInDocument(
        `### ${words(130)}\n| ${words(130)} |\n![${words(130)}](x.png)\n  https://example.com/${long}\n${'言'.repeat(130)} a b`,
      ),
    ).toEqual([]);
  });
});
