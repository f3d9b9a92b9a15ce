/** A page could not be read. `message` says what happened and why, `mend` what to do next. */
export class PageError extends Error {
  override readonly name = 'PageError';
  readonly mend: string;
  constructor(message: string, mend: string) {
    super(message);
    this.mend = mend;
  }
}
