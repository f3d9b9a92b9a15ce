import { createHash } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isObject } from '../formats/wire/json.ts';
import type { Log } from '../ports.ts';
import { dayStamp, keepAside } from './files.ts';
import type { Settings } from './schema.ts';

/**
 * Settings that decide with which account, as which program and by which way requests go out. `accounts.json` has a
 * second copy of them: no default can replace them, because a request could go out with another account.
 */
const asWhom = [
  'account',
  'accounts',
  'accountInUse',
  'admission',
  'sdkCredential',
  'reach',
  'githubHost',
  'secretsStorage',
] as const satisfies readonly (keyof Settings)[];

type AsWhom = Pick<Settings, (typeof asWhom)[number]>;

export function asWhomOf(settings: Settings): AsWhom {
  const { account, accounts, accountInUse, admission, sdkCredential, reach, githubHost, secretsStorage } = settings;
  return { account, accounts, accountInUse, admission, sdkCredential, reach, githubHost, secretsStorage };
}

/** Whether one of them has a value that can't be used. */
export function isOfAsWhom(keys: readonly string[]): boolean {
  return asWhom.some((key) => keys.includes(key));
}

/** The values as they were last in force. Null if there is no copy, or its checksum is wrong. */
export function readSecondCopy(settingsPath: string): Record<string, unknown> | null {
  try {
    const copy: unknown = JSON.parse(readFileSync(pathOf(settingsPath), 'utf8'));
    if (!isObject(copy) || !isObject(copy.settings) || copy.sha256 !== checksum(copy.settings)) return null;
    return copy.settings;
  } catch {
    return null;
  }
}

/**
 * Writes the copy to the disk. Where that fails the old one is removed: it would bring back an account that is no
 * longer in use. Never throws.
 */
export function saveSecondCopy(settingsPath: string, settings: AsWhom, log: Log): void {
  const path = pathOf(settingsPath);
  const unfinished = `${path}.${process.pid}.tmp`;
  try {
    if (readSecondCopy(settingsPath) === null) keepBrokenCopy(path, log);
    const text = JSON.stringify({ sha256: checksum(settings), settings }, null, '\t');
    writeFileSync(unfinished, `${text}\n`, { mode: 0o600, flush: true });
    renameSync(unfinished, path);
  } catch (error) {
    log.write('warn', 'settings-copy-not-saved', { why: error instanceof Error ? error.message : 'unknown' });
    for (const stale of [unfinished, path]) removeIfPossible(stale);
  }
}

function keepBrokenCopy(path: string, log: Log): void {
  try {
    const kept = keepAside(path, `broken-${dayStamp(Date.now())}`);
    log.write('warn', 'settings-copy-broken', { kept: basename(kept) });
  } catch {
    // There is none.
  }
}

function removeIfPossible(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The folder can't be written.
  }
}

function pathOf(settingsPath: string): string {
  return join(dirname(settingsPath), 'accounts.json');
}

function checksum(settings: object): string {
  return createHash('sha256').update(JSON.stringify(settings)).digest('hex');
}
