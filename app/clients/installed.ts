import { existsSync } from 'node:fs';
import { readFile, realpath } from 'node:fs/promises';
import { basename, delimiter, dirname, join } from 'node:path';
import { z } from 'zod';
import { type ClientName, type ClientVersion, clientNameSchema } from '../api/setup.ts';
import { claudeVersion, programOnPath, programVersion, startable } from '../claude-code/version.ts';
import type { Machine } from './machine.ts';
import { filesOf, programs, usesOf } from './programs.ts';

/** Its command is on the PATH, or the folder of its settings is there. */
export function isInstalled(name: ClientName, machine: Machine): boolean {
  const { platform, env, home } = machine;
  const endings = platform === 'win32' ? ['.exe', '.cmd', ''] : [''];
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const { command, isThere } = programs[name];
  if (isThere !== undefined) return isThere(machine);
  if (folders.some((folder) => endings.some((ending) => existsSync(join(folder, command + ending))))) return true;
  const files = usesOf(name).flatMap((use) => filesOf(name, use));
  const own = files.map(({ path, isOwnFile = false }) => {
    const folder = dirname(path(machine));
    return isOwnFile ? dirname(folder) : folder;
  });
  return own.some((folder) => folder !== home && existsSync(folder));
}

/** Each program that is on the PATH, with its version as far as it says one. */
export async function installedVersions(machine: Machine): Promise<ClientVersion[]> {
  const { env } = machine;
  const claude = claudeVersion(env).then((found): ClientVersion[] => {
    if (found.kind === 'missing') return [];
    return [{ name: 'claude-code', version: found.kind === 'found' ? found.version : null }];
  });
  const others = clientNameSchema.options.map(async (name): Promise<ClientVersion[]> => {
    const { command, isWindow = false, isThere } = programs[name];
    // Its command is another program's.
    if (isThere !== undefined) return [];
    const path = await programOnPath(command, env, machine.platform);
    if (path === null) return [];
    const program = await startable(path, machine.platform);
    const version = program === null ? null : await versionOf(program, machine, !isWindow);
    return [{ name, version }];
  });
  return (await Promise.all([claude, ...others])).flat();
}

/** That of its package, so that nothing is started; else what it prints. */
async function versionOf(program: string, { env, platform }: Machine, mayAsk: boolean): Promise<string | null> {
  const ofPackage = await packageVersion(program);
  if (ofPackage !== null || !mayAsk || /\.[cm]?js$/.test(program)) return ofPackage;
  const found = await programVersion(program, env, { platform, timeoutMs: 10_000 });
  return found.kind === 'found' ? found.version : null;
}

const packageSchema = z.object({ version: z.string(), bin: z.union([z.string(), z.record(z.string(), z.string())]) });

/** Of the package of npm's that the program is a command of; null if it is in none. */
async function packageVersion(program: string): Promise<string | null> {
  let folder = dirname(await realpath(program).catch(() => program));
  // Never past the packages: what is above them is another program's.
  for (let up = 0; up < 4 && basename(folder) !== 'node_modules'; up++) {
    const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => null);
    if (text !== null) {
      try {
        return packageSchema.parse(JSON.parse(text)).version;
      } catch {
        return null;
      }
    }
    folder = dirname(folder);
  }
  return null;
}
