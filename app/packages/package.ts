/** One version of a package of the npm registry, as it was chosen when Jumpseat was built. */
export interface Package {
  /** `@github/copilot-sdk-linux-x64` */
  name: string;
  version: string;
  /** `sha512-…`, of the packed file. */
  integrity: string;
  /** Of the packed file in bytes, so that a person knows before it is fetched. */
  bytes: number;
  /** What of it is kept, as paths inside the package; absent: all. */
  files?: readonly string[];
}

export interface FetchProgress {
  /** Of the packed file. */
  received: number;
  /** Null where the registry does not say. */
  total: number | null;
}
