import type { styleText } from 'node:util';
import { stripVTControlCharacters } from 'node:util';
import truncatedWidth from 'fast-string-truncated-width';
import { inOwnWords } from '../api/shell.ts';

interface Fit {
  align?: 'left' | 'right';
  /** Columns of the terminal that a cell is cut down to in a narrow one. */
  least?: number;
  /** Order in which columns are left out of a still narrower terminal, lowest first. */
  spare?: number;
}

/** The part of a `Terminal` that lines are made for. */
interface Lined {
  style(format: Parameters<typeof styleText>[0], text: string): string;
  readonly columns?: number | undefined;
}

export interface Column extends Fit {
  head: string;
}

/**
 * Columns as wide as their widest cell, two blanks between them, none at the end of a line. Cells may be styled; heads
 * may be empty.
 * @param most columns of the terminal; undefined: no limit
 */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  head: (text: string) => string = (text) => text,
  most?: number,
): string[] {
  const wide = columns.map((column, index) =>
    Math.max(width(column.head), ...rows.map((row) => width(row[index] ?? ''))),
  );
  if (most !== undefined && lengthOf(wide) > most) {
    const { kept, widths } = fitted(columns, wide, most);
    const pick = (cells: readonly string[]) => kept.map((at, index) => cut(cells[at] ?? '', widths[index] ?? 0));
    const heads = pick(columns.map((column) => column.head));
    const chosen = heads.map((text, index) => ({ ...columns[kept[index] ?? 0], head: text }));
    return table(chosen, rows.map(pick), head);
  }
  const widths = wide;
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

const lengthOf = (widths: readonly number[]): number =>
  widths.reduce((sum, one) => sum + one, 0) + 2 * Math.max(0, widths.length - 1);

/** Columns that remain, with their widths. */
function fitted(columns: readonly Fit[], wide: readonly number[], most: number): { kept: number[]; widths: number[] } {
  const leastOf = (at: number): number => Math.min(wide[at] ?? 0, columns[at]?.least ?? Number.POSITIVE_INFINITY);
  let kept = columns.map((_, at) => at);
  const spares = kept
    .filter((at) => columns[at]?.spare !== undefined)
    .sort((one, other) => (columns[one]?.spare ?? 0) - (columns[other]?.spare ?? 0));
  for (const at of spares) {
    if (lengthOf(kept.map(leastOf)) <= most) break;
    kept = kept.filter((one) => one !== at);
  }
  const widths = kept.map((at) => wide[at] ?? 0);
  // The widest gives first, so that no column is cut more than it must be.
  for (let over = lengthOf(widths) - most; over > 0; over -= 1) {
    const room = widths.map((one, index) => (one > leastOf(kept[index] ?? 0) ? one : 0));
    const widest = Math.max(...room);
    if (widest === 0) break;
    widths[room.indexOf(widest)] = widest - 1;
  }
  return { kept, widths };
}

/** Cuts to a width and keeps the cell's style. */
function cut(cell: string, to: number): string {
  if (width(cell) <= to) return cell;
  const seen = stripVTControlCharacters(cell);
  let left = to - 1;
  let fits = '';
  for (const character of seen) {
    left -= width(character);
    if (left < 0) break;
    fits += character;
  }
  return cell.replace(seen, () => `${fits}…`);
}

const leastRoom = 20;
const narrowColumn = 4;

/**
 * A text that begins in a column and goes on in it on further lines, broken at blanks. Where the column leaves it no
 * room, it begins on the next line, further left.
 * @param most characters that a line may have; undefined: no limit
 */
export function hung(text: string, column: number, most: number | undefined): string {
  if (most === undefined) return text;
  if (column > narrowColumn && most - column < leastRoom)
    return `\n${' '.repeat(narrowColumn)}${hung(text, narrowColumn, most)}`;
  return wrapped(text, Math.max(leastRoom, most - column)).join(`\n${' '.repeat(column)}`);
}

/** Stands for a blank of our own command's name while a text is broken into lines. */
const inCommand = '\ue000';
let named = (text: string): string => text;

/** Commands in texts are longer where they are typed as `command`: lines are broken as they come out. */
export function breakLinesWith(command: string): void {
  const whole = command.replaceAll(' ', inCommand);
  named = (text) => inOwnWords(text, whole);
}

/** Each line of a text goes on, where it is too long, in the column in which it begins. */
export function brokenLines(text: string, most: number): string {
  const lines = text.split('\n').map((line) => {
    const indent = line.length - line.trimStart().length;
    return ' '.repeat(indent) + hung(line.slice(indent), indent, most);
  });
  return lines.join('\n');
}

/** Lines of at most so many columns, broken at blanks, and between Chinese and Japanese characters. */
export function wrapped(text: string, room: number): string[] {
  const lines: string[] = [];
  let line = '';
  let used = 0;
  for (const [index, word] of named(text).split(' ').entries()) {
    for (const [at, part] of partsOf(word).entries()) {
      const blank = at === 0 && index > 0 ? ' ' : '';
      const columns = width(part);
      if ((index > 0 || at > 0) && used + blank.length + columns > room) {
        lines.push(line);
        [line, used] = ['', 0];
      } else line += blank;
      used = line === '' ? columns : used + blank.length + columns;
      line += part;
    }
  }
  return [...lines, line].map((each) => each.replaceAll(inCommand, ' '));
}

/** A line may be broken between two of these, but none ends with an opening sign, or begins with a closing one. */
const breakable =
  /[（「『“《]*(?:(?![（「『“《、。，．！？：；）」』”》…ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ])[\u2e80-\u9fff\uff00-\uff60]|[^\u2e80-\u9fff\uff00-\uff60“”…]+)?[、。，．！？：；）」』”》…ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ]*/gu;

/** The parts of a word between which a line may be broken: only where it has wide characters there are several. */
function partsOf(word: string): string[] {
  if (!/[\u2e80-\u9fff\uff00-\uff60]/.test(word)) return [word];
  return (word.match(breakable) ?? []).filter((each) => each !== '');
}

/**
 * Lines of labels, each with a text beside it. All texts begin in one column.
 * @param column where they begin, unless a label needs more
 * @param indent blanks before a label
 */
export function labelled(
  rows: readonly (readonly [label: string, text: string])[],
  column: number,
  { style, columns }: Lined,
  indent = 0,
): string[] {
  const at = Math.max(column, ...rows.map(([label]) => indent + width(label) + 1));
  return rows.map(([label, text]) => {
    const blanks = ' '.repeat(at - indent - width(label));
    return `${' '.repeat(indent)}${style('dim', `${label}${blanks}`)}${hung(text, at, columns)}`;
  });
}

/**
 * One line of columns whose widths are known beforehand. In a narrow terminal columns are left out and cut as in a
 * table; else longer cells stay whole.
 * @param most characters that the line may have; undefined: no limit
 */
export function lineOf(columns: readonly (Fit & { width: number })[], cells: readonly string[], most?: number) {
  const wide = columns.map((column) => column.width);
  const fit = most !== undefined && lengthOf(wide) > most ? fitted(columns, wide, most) : null;
  return (fit?.kept ?? columns.map((_, at) => at))
    .map((at, index) => {
      const to = fit?.widths[index] ?? wide[at] ?? 0;
      const cell = cells[at] ?? '';
      return fill(fit === null ? cell : cut(cell, to), to, columns[at]?.align);
    })
    .join('  ')
    .trimEnd();
}

const plain = /^[ -~]*$/;

/** Columns of the terminal that a text takes: two for each Chinese and Japanese character. */
export function width(text: string): number {
  // Nearly all cells, and every request has ten of them.
  if (plain.test(text)) return text.length;
  return truncatedWidth(text).width;
}

/** Filled up with blanks. Longer ones stay whole. */
function fill(text: string, to: number, align: 'left' | 'right' = 'left'): string {
  const blanks = ' '.repeat(Math.max(0, to - width(text)));
  return align === 'right' ? blanks + text : text + blanks;
}
