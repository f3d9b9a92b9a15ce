import type { Filter } from './filter/match.ts';
import { isError, isRunning, type Row } from './row.ts';

export type QuickFilter = 'all' | 'billed' | 'free' | 'unknown' | 'none' | 'errors';

export const quickFilters: readonly QuickFilter[] = ['all', 'billed', 'free', 'unknown', 'errors', 'none'];

export const quickTests: Readonly<Record<QuickFilter, (row: Row) => boolean>> = {
  all: () => true,
  billed: (row) => row.charge === 'billed',
  free: (row) => row.charge === 'free',
  unknown: (row) => row.charge === 'unknown',
  none: (row) => row.charge === 'none',
  errors: isError,
};

interface Sums {
  requests: number;
  user: number;
  agent: number;
  /** Web searches. */
  neither: number;
  /** Refused, failed, not sent or not billed. */
  noCharge: number;
  nanoAiu: number;
  premium: number;
  /** Requests whose charge Copilot did not report: neither amount has it. */
  unknown: number;
}

/**
 * What the list shows now. A new object whenever something of it changed; `rows` is one array for long and changes in
 * place.
 */
export interface LogView {
  version: number;
  /** Changes when the order or the choice of rows was made anew; not when rows come and go. */
  arrangement: number;
  rows: readonly Row[];
  /** The running ones among them. */
  running: number;
  /** For the search, whatever quick filter is chosen. */
  counts: Readonly<Record<QuickFilter, number>>;
  /** For what is shown. */
  sums: Readonly<Sums>;
  /** All that are known. */
  known: number;
  /** Hidden by `clear`. */
  cleared: number;
  /** When marks were set, ascending. */
  marks: readonly number[];
  paused: boolean;
  /** New ones since the list was paused. */
  waiting: number;
  filter: Filter;
  query: string;
  quick: QuickFilter;
}

function noCounts(): Record<QuickFilter, number> {
  return { all: 0, billed: 0, free: 0, unknown: 0, none: 0, errors: 0 };
}

function noSums(): Sums {
  return { requests: 0, user: 0, agent: 0, neither: 0, noCharge: 0, nanoAiu: 0, premium: 0, unknown: 0 };
}

/** What the rows of the list come to. Each way of counting takes a row in (1) or out again (-1). */
export class Tally {
  /** Counts of rows that match the filter. */
  readonly counts = noCounts();
  /** Sums of the rows that are shown. */
  readonly sums = noSums();
  /** Shown ones whose end is not known. */
  running = 0;
  /** Rows that were cleared away. */
  cleared = 0;

  /** A row that the filter finds. */
  count(row: Row, by: 1 | -1): void {
    const { counts } = this;
    counts.all += by;
    if (row.charge !== 'pending') counts[row.charge] += by;
    if (isError(row)) counts.errors += by;
  }

  /** A row that is shown. */
  sum(row: Row, by: 1 | -1): void {
    const { sums } = this;
    sums.requests += by;
    // One that was refused or never sent is nobody's.
    sums[row.charge === 'none' ? 'noCharge' : (row.initiator ?? 'neither')] += by;
    sums.nanoAiu += by * (row.nanoAiu ?? 0);
    sums.premium += by * (row.premium ?? 0);
    if (row.charge === 'unknown') sums.unknown += by;
    if (isRunning(row)) this.running += by;
  }
}
