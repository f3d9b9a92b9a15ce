import type { Problem } from '../api/problem.ts';

/** The history can't be read or changed. `message` says why, `mend` what to do. */
export class HistoryError extends Error {
  override readonly name = 'HistoryError';
  readonly code: string;
  readonly mend: string;
  constructor({ code, text, mend }: Problem) {
    super(text);
    this.code = code;
    this.mend = mend;
  }
}

/** @param problem what the store says is wrong; null: it is closed */
export function unreadable(problem: Problem | null): HistoryError {
  return new HistoryError({
    code: 'history-unreadable',
    text: problem?.text ?? 'The request history is closed.',
    mend: 'See that the disk is there and that no other program holds history.db, then try again.',
  });
}

/** @param problem what the store says is wrong; null: it is closed */
export function unchanged(problem: Problem | null): HistoryError {
  return problem === null ? unreadable(null) : new HistoryError(problem);
}

/** This process may not change the file. */
export function ownedElsewhere(): HistoryError {
  return new HistoryError({
    code: 'history-owned-elsewhere',
    text: 'Another Jumpseat owns the request history, so nothing was deleted.',
    mend: 'Delete it there, or quit that one, turn the proxy on here and try again.',
  });
}
