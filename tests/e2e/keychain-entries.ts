import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import type { Desktop } from './desktop.ts';

const run = promisify(execFile);
const keytar = createRequire(import.meta.url).resolve('keytar');

/**
 * What the keychain of a desktop holds for Jumpseat, by name. Asked in a process of that desktop: the library keeps to
 * its first bus.
 */
export async function keychainEntries(desktop: Desktop): Promise<Record<string, string>> {
  const ask =
    `require(${JSON.stringify(keytar)}).findCredentials('Jumpseat').then((found) => ` +
    'console.log(JSON.stringify(found)))';
  const { stdout } = await run(process.execPath, ['-e', ask], { env: desktop.env });
  const found: { account: string; password: string }[] = JSON.parse(stdout);
  return Object.fromEntries(found.map(({ account, password }) => [account, password]));
}
