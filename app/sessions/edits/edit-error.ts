/**
 * - `link`, `detour`, `not-a-file`, `not-text`, `too-large`: a file that is never written here.
 * - `outside`: it is outside of the session's folders, and no person has agreed to it yet.
 * - `is-there`: the file that was to be brought back.
 * - `no-hunk`: there is no such place in its difference any more.
 * - `not-kept`: its version from before is kept no longer.
 */
export type EditRefusal =
  | 'link'
  | 'detour'
  | 'not-a-file'
  | 'outside'
  | 'not-text'
  | 'too-large'
  | 'not-kept'
  | 'no-hunk'
  | 'is-there';

/** A file could not be put back. `message` says why, `mend` what to do next. Nothing was changed. */
export class EditError extends Error {
  override readonly name = 'EditError';
  readonly code: EditRefusal | 'not-written';
  readonly mend: string;
  constructor(code: EditRefusal | 'not-written', message: string, mend: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
    this.mend = mend;
  }
}
