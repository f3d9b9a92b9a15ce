import { writeFileSync } from 'node:fs';
import { basename } from 'node:path';

/**
 * Settings that say as whom requests go out, each with what it looks like in a file where it says no more than its
 * default. Where one of them can't be known, no default can stand in for it: a request could go out with the wrong
 * account, or as another program.
 */
const plainly = {
  accounts: /"accounts"\s*:(?!\s*\[\s*\])/,
  accountInUse: /"accountInUse"\s*:(?!\s*null)/,
  admission: /"admission"\s*:(?!\s*"vscode")/,
  reach: /"reach"\s*:(?!\s*"directly")/,
} as const;

export type AsWhom = keyof typeof plainly;

export const asWhom: readonly AsWhom[] = ['accounts', 'accountInUse', 'admission', 'reach'];

/** Those that a file said something about, as far as its text shows where it can't be parsed. */
export function saidAsWhom(text: string): AsWhom[] {
  return asWhom.filter((key) => plainly[key].test(text));
}

/**
 * The broken file was kept aside, and the next start would begin without it: a new one says that these are not known,
 * so that they are as unusable then as they are now. Where it can't be written, that holds for this process alone.
 */
export function markUnknown(path: string, keys: readonly AsWhom[], kept: string): void {
  const marks = Object.fromEntries(keys.map((key) => [key, { unknown: `see ${basename(kept)}` }]));
  try {
    writeFileSync(path, `${JSON.stringify(marks, null, '\t')}\n`, { mode: 0o600, flag: 'wx' });
  } catch {
    // Another process was faster, or the disk is full.
  }
}
