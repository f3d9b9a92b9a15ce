/**
 * - `registry`: the configured registry cannot be asked.
 * - `network`: no answer, or one that broke off. `refused`: the registry answered with an error.
 * - `altered`: the bytes are not the ones that were chosen.
 * - `disk`: they cannot be written.
 */
export type PackageErrorKind = 'registry' | 'network' | 'refused' | 'altered' | 'disk';

/** A package was not fetched, and nothing of it is left. `message` says what happened and why, `mend` what to do. */
export class PackageError extends Error {
  override readonly name = 'PackageError';
  readonly kind: PackageErrorKind;
  readonly mend: string;
  constructor(kind: PackageErrorKind, message: string, mend: string, options?: { cause?: unknown }) {
    super(message, options);
    this.kind = kind;
    this.mend = mend;
  }
}
