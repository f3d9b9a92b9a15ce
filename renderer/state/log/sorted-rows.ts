import type { Row } from './row.ts';

/** A total order: never 0 for two rows of different `seq`. */
export type Order = (left: Row, right: Row) => number;

export const byStart: Order = (left, right) => left.startedAt - right.startedAt || left.seq - right.seq;

/** Rows in an order, kept so while rows come, change and go one by one. */
export class SortedRows {
  readonly order: Order;
  readonly #rows: Row[];

  constructor(order: Order, rows: Row[] = []) {
    this.order = order;
    this.#rows = rows;
  }

  /** Rows in order. The array stays the same as long as this object. */
  get rows(): readonly Row[] {
    return this.#rows;
  }

  /** Where a row is, or would be. */
  placeOf(row: Row): number {
    const rows = this.#rows;
    let low = 0;
    let high = rows.length;
    const last = rows[high - 1];
    // Most rows are the newest.
    if (last === undefined || this.order(last, row) < 0) return high;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const there = rows[middle];
      if (there !== undefined && this.order(there, row) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  insert(row: Row): void {
    const place = this.placeOf(row);
    if (place === this.#rows.length) this.#rows.push(row);
    else this.#rows.splice(place, 0, row);
  }

  /** Many at once, in any order. */
  insertAll(rows: readonly Row[]): void {
    const first = this.#rows[0];
    const last = rows.at(-1);
    const inOrder = rows.every((row, index) => {
      const before = rows[index - 1];
      return before === undefined || this.order(before, row) < 0;
    });
    if (inOrder && first !== undefined && last !== undefined && this.order(last, first) < 0) {
      this.#rows.splice(0, 0, ...rows);
      return;
    }
    this.#rows.push(...rows);
    this.#rows.sort(this.order);
  }

  remove(row: Row): void {
    const place = this.placeOf(row);
    if (this.#rows[place]?.seq === row.seq) this.#rows.splice(place, 1);
  }

  replace(old: Row, row: Row): void {
    const place = this.placeOf(old);
    if (this.#rows[place]?.seq !== old.seq) return;
    if (this.order(old, row) === 0) {
      this.#rows[place] = row;
      return;
    }
    this.#rows.splice(place, 1);
    this.insert(row);
  }
}
