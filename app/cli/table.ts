import { stripVTControlCharacters } from 'node:util';

export interface Column {
  head: string;
  align?: 'left' | 'right';
}

/**
 * Columns as wide as their widest cell, two blanks between them, none at the end of a line. Cells may be styled; heads
 * may be empty.
 */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  head: (text: string) => string = (text) => text,
): string[] {
  const widths = columns.map((column, index) =>
    Math.max(width(column.head), ...rows.map((row) => width(row[index] ?? ''))),
  );
  const line = (cells: readonly string[], style: (text: string) => string = (text) => text): string =>
    columns
      .map((column, index) => {
        const cell = cells[index] ?? '';
        const blanks = ' '.repeat(Math.max(0, (widths[index] ?? 0) - width(cell)));
        const text = cell === '' ? '' : style(cell);
        return column.align === 'right' ? blanks + text : text + blanks;
      })
      .join('  ')
      .trimEnd();
  const heads = columns.some((column) => column.head !== '')
    ? [
        line(
          columns.map((column) => column.head),
          head,
        ),
      ]
    : [];
  return [...heads, ...rows.map((row) => line(row))];
}

const plain = /^[ -~]*$/;

/** In characters that are seen. */
export function width(text: string): number {
  // Nearly all cells, and every request has ten of them.
  if (plain.test(text)) return text.length;
  return [...stripVTControlCharacters(text)].length;
}

/**
 * Filled up with blanks to a width that is known beforehand, for lines that are written one by one. Longer ones stay
 * whole.
 */
export function fill(text: string, to: number, align: 'left' | 'right' = 'left'): string {
  const blanks = ' '.repeat(Math.max(0, to - width(text)));
  return align === 'right' ? blanks + text : text + blanks;
}
