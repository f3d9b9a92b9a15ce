import { timeOf, timeParts } from '../../app/words/times.ts';
import type { Row } from '../state/log/row.ts';

/**
 * Where rows of one height stand when lines of another height stand between them: a day begins, a mark was set. All in
 * px.
 */

export const lineHeight = 26;

/** Stands right above the row of that index; the number of rows: behind the last one. */
export interface Line {
  index: number;
  kind: 'day' | 'mark';
  /** When the day began, when the mark was set. */
  at: number;
}

/** All lines between rows in the order of their start, from top to bottom. `marks` are times, ascending. */
export function linesOf(rows: readonly Row[], marks: readonly number[]): Line[] {
  const days = dayStarts(rows).map((index): Line => {
    const { year, month, day } = timeParts(rows[index]?.startedAt ?? 0);
    return { index, kind: 'day', at: timeOf(year, month, day) };
  });
  if (marks.length === 0) return days;
  const set = marks.map((at): Line => ({ index: firstFrom(rows, at + 1), kind: 'mark', at }));
  return [...days, ...set].sort((left, right) => left.index - right.index || left.at - right.at);
}

/** The index of the first row of each day, but for the first day. `rows` in the order of their start. */
export function dayStarts(rows: readonly Row[]): number[] {
  const starts: number[] = [];
  let at = rows[0]?.startedAt;
  while (at !== undefined) {
    const next = firstFrom(rows, nextMidnight(at));
    at = rows[next]?.startedAt;
    if (at !== undefined) starts.push(next);
  }
  return starts;
}

function nextMidnight(at: number): number {
  const { year, month, day } = timeParts(at);
  return timeOf(year, month, day + 1);
}

function firstFrom(rows: readonly Row[], time: number): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((rows[middle]?.startedAt ?? 0) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

export class ListLayout {
  readonly #count: number;
  readonly #rowHeight: number;
  /** Row indices of the lines, ascending; several lines can be above one row. */
  readonly #lines: readonly number[];

  constructor(count: number, rowHeight: number, lines: readonly number[]) {
    this.#count = count;
    this.#rowHeight = rowHeight;
    this.#lines = lines;
  }

  get height(): number {
    return this.#count * this.#rowHeight + this.#lines.length * lineHeight;
  }

  /** Upper edge of a row. Its lines, if it has any, are right above. */
  top(index: number): number {
    return index * this.#rowHeight + this.#linesUntil(index) * lineHeight;
  }

  /** Upper edge of a line. */
  lineTop(line: number): number {
    return (this.#lines[line] ?? this.#count) * this.#rowHeight + line * lineHeight;
  }

  /** The row at a height, or the next one where a line is; within the list. */
  indexAt(y: number): number {
    let low = 0;
    let high = this.#lines.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.lineTop(middle) <= y) low = middle + 1;
      else high = middle;
    }
    const from = low === 0 ? 0 : (this.#lines[low - 1] ?? 0);
    const index = Math.floor((y - low * lineHeight) / this.#rowHeight);
    return Math.max(0, Math.min(this.#count - 1, Math.max(from, index)));
  }

  /** The lines above the rows from `from` to `to`, both among them: the first, and the one behind the last. */
  linesWithin(from: number, to: number): [number, number] {
    return [this.#linesUntil(from - 1), this.#linesUntil(to)];
  }

  /** Lines above this row and above those before it. */
  #linesUntil(index: number): number {
    let low = 0;
    let high = this.#lines.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#lines[middle] ?? 0) <= index) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
