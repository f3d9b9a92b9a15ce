import type { Problem } from '../api/call.ts';
import { t } from '../language/translate.ts';

/** The history can't be read or changed. `message` says why, `remedy` what to do. */
export class HistoryError extends Error {
  override readonly name = 'HistoryError';
  readonly code: string;
  readonly remedy: string;
  constructor({ code, text, remedy }: Problem) {
    super(text);
    this.code = code;
    this.remedy = remedy;
  }
}

/** @param problem what the store says is wrong; null if it is closed */
export function unreadable(problem: Problem | null): HistoryError {
  return new HistoryError({
    code: 'history-unreadable',
    text: problem?.text ?? t('The request history is closed.'),
    remedy: t('Check that the disk is available and that no other program uses history.db, then try again.'),
  });
}

/** @param problem what the store says is wrong; null if it is closed */
export function unchanged(problem: Problem | null): HistoryError {
  return problem === null ? unreadable(null) : new HistoryError(problem);
}

/** This process may not change the file. */
export function ownedElsewhere(): HistoryError {
  return new HistoryError({
    code: 'history-owned-elsewhere',
    text: t('Another Jumpseat owns the request history, so nothing was deleted.'),
    remedy: t('Delete the history in that Jumpseat. Or quit it, turn the proxy on here and try again.'),
  });
}
