import { t } from '../language/translate.ts';
import { NetworkError } from '../ports.ts';

/** One version of a package of the npm registry, as it was chosen when Jumpseat was built. */
export interface Package {
  /** `@github/copilot-sdk-linux-x64` */
  name: string;
  version: string;
  /** `sha512-…` in base64, of the packed file. */
  integrity: string;
  /** Size of the packed file, shown before it is downloaded. */
  bytes: number;
  /** Files that are checked again before they are used, with the integrity of each; paths inside the package. */
  programs: Readonly<Record<string, string>>;
}

export interface FetchProgress {
  /** Bytes of the packed file. */
  received: number;
  total: number;
}

/** For people and for the log: `@github/copilot-sdk-linux-x64 1.0.14`. */
export function packageTitle({ name, version }: Pick<Package, 'name' | 'version'>): string {
  return `${name} ${version}`;
}

/**
 * - `registry`: the configured registry cannot be asked.
 * - `network`: no answer, or one that broke off. `refused`: the registry answered with an error.
 * - `altered`: the bytes are not the ones that were chosen.
 * - `unsigned`: no key that Jumpseat knows has signed them. `unusable`: they are what was signed, and did not work.
 * - `disk`: they cannot be written.
 */
type PackageErrorKind = 'registry' | 'network' | 'refused' | 'altered' | 'unsigned' | 'unusable' | 'disk';

/** A package was not fetched, and nothing of it is left. `message` says what happened and why, `remedy` what to do. */
export class PackageError extends Error {
  override readonly name = 'PackageError';
  readonly kind: PackageErrorKind;
  readonly remedy: string;
  constructor(kind: PackageErrorKind, message: string, remedy: string, options?: { cause?: unknown }) {
    super(message, options);
    this.kind = kind;
    this.remedy = remedy;
  }
}

/** What happened while a registry was asked, for people. What is not of the network or of us is thrown as it came. */
export function asRegistryError(error: unknown, what: string, registry: URL): PackageError {
  if (error instanceof PackageError) return error;
  if (!(error instanceof NetworkError)) throw error;
  return new PackageError(
    'network',
    t('{what} couldn’t be fetched from {host}: {message}.', { what, host: registry.host, message: error.message }),
    t('Look at the connection, and at the proxy and the certificates if there are some, and try again.'),
    { cause: error },
  );
}
