/** What a session needs kept could not be kept, or not be read. `message` says why, `mend` what to do. */
export class SessionStoreError extends Error {
  override readonly name = 'SessionStoreError';
  readonly code = 'sessions-not-written';
  readonly mend = 'See that the disk is not full and that no other program holds sessions.db, then try again.';
  constructor(why: string, options?: { cause?: unknown }) {
    super(`The record of sessions can’t be used: ${why}.`, options);
  }
}
