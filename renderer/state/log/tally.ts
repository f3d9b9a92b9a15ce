import { noCounts, noSums } from './log-view.ts';
import { isError, isRunning, type Row } from './row.ts';

/** What the rows of the list come to. Each way of counting takes a row in (1) or out again (-1). */
export class Tally {
  /** Of rows that the filter finds. */
  readonly counts = noCounts();
  /** Of rows that are shown. */
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
    if (row.initiator === 'user') sums.user += by;
    if (row.initiator === 'agent') sums.agent += by;
    sums.nanoAiu += by * (row.nanoAiu ?? 0);
    sums.premium += by * (row.premium ?? 0);
    if (row.charge === 'unknown') sums.unknown += by;
    if (isRunning(row)) this.running += by;
  }
}
