import { timeOf, timeParts } from '../../app/words/zone.ts';
import type { Row } from './row.ts';

/** Where rows of one height stand when a line for each day stands between them. All in px. */

export const dayHeight = 26;

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
  /** Ascending. */
  readonly #days: readonly number[];

  constructor(count: number, rowHeight: number, days: readonly number[]) {
    this.#count = count;
    this.#rowHeight = rowHeight;
    this.#days = days;
  }

  get height(): number {
    return this.#count * this.#rowHeight + this.#days.length * dayHeight;
  }

  /** Upper edge of a row. Its day's line, if it has one, is right above. */
  top(index: number): number {
    return index * this.#rowHeight + this.#daysUntil(index) * dayHeight;
  }

  /** The row at a height, or the next one where a day's line is; within the list. */
  indexAt(y: number): number {
    let low = 0;
    let high = this.#days.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const first = this.#days[middle] ?? 0;
      if (first * this.#rowHeight + middle * dayHeight <= y) low = middle + 1;
      else high = middle;
    }
    const from = low === 0 ? 0 : (this.#days[low - 1] ?? 0);
    const index = Math.floor((y - low * dayHeight) / this.#rowHeight);
    return Math.max(0, Math.min(this.#count - 1, Math.max(from, index)));
  }

  startsDay(index: number): boolean {
    const place = this.#daysUntil(index);
    return place > 0 && this.#days[place - 1] === index;
  }

  /** Days that begin at this row or before it. */
  #daysUntil(index: number): number {
    let low = 0;
    let high = this.#days.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#days[middle] ?? 0) <= index) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
