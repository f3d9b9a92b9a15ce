/** What an environment variable decides can't be changed here. */
export class FixedFromOutsideError extends Error {
  override readonly name = 'FixedFromOutsideError';
  readonly remedy: string;
  constructor(message: string, remedy: string) {
    super(message);
    this.remedy = remedy;
  }
}
