import { writeTrouble } from '../../database/sqlite-error.ts';

/** What a session needs kept could not be kept, or not be read. `message` says why, `mend` what to do. */
export class SessionStoreError extends Error {
  override readonly name = 'SessionStoreError';
  readonly code = 'sessions-not-written';
  readonly mend: string;
  constructor(why: string, options?: { cause?: unknown }) {
    super(`The record of sessions can’t be used: ${why}.`, options);
    this.mend = `${writeTrouble(options?.cause, 'sessions.db').mend}, then try again.`;
  }
}
