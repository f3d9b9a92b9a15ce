/** What an environment variable decides can't be changed here. */
export class FixedFromOutsideError extends Error {
  override readonly name = 'FixedFromOutsideError';
  readonly mend: string;
  constructor(message: string, mend: string) {
    super(message);
    this.mend = mend;
  }
}
