import type { Problem } from '../api/problem.ts';

/** The history can't be read. `message` says why, `mend` what to do. */
export class HistoryError extends Error {
  override readonly name = 'HistoryError';
  readonly code = 'history-unreadable';
  readonly mend = 'See that the disk is there and that no other program holds history.db, then try again.';
  constructor(problem: Problem | null) {
    super(problem?.text ?? 'The request history is closed.');
  }
}
