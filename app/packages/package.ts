/** One version of a package of the npm registry, as it was chosen when Jumpseat was built. */
export interface Package {
  /** `@github/copilot-sdk-linux-x64` */
  name: string;
  version: string;
  /** `sha512-…` in base64, of the packed file. */
  integrity: string;
  /** Of the packed file, so that a person knows before it is fetched. */
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
