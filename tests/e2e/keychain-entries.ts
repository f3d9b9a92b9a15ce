import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { secretNames } from '../../app/ports.ts';
import type { Desktop } from './desktop.ts';

const run = promisify(execFile);
const keytar = createRequire(import.meta.url).resolve('keytar');

/**
 * What the keychain of a desktop holds for Jumpseat, by name. Asked in a process of that desktop: the library keeps to
 * its first bus. Each name is looked up by itself: a search of all entries reads those that a writer has just removed,
 * and crashes.
 */
export async function keychainEntries(desktop: Desktop): Promise<Record<string, string>> {
  const ask = `
    const keychain = require(${JSON.stringify(keytar)});
    const ofName = async (name) => [name, await keychain.getPassword('Jumpseat', name)];
    Promise.all(${JSON.stringify(secretNames)}.map(ofName)).then((found) => console.log(JSON.stringify(found)));`;
  const { stdout } = await run(process.execPath, ['-e', ask], { env: desktop.env });
  const found: [string, string | null][] = JSON.parse(stdout);
  return Object.fromEntries(found.filter((entry): entry is [string, string] => entry[1] !== null));
}
