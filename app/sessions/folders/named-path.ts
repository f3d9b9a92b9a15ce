import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { NamedPath } from '../../api/session-surroundings.ts';
import { leadsAway } from './leads-away.ts';

/**
 * What a path leads to. What may not be looked at counts as a file: the agent that reads it says so.
 * @param path absolute, or relative to `cwd`
 */
export async function namedPath(
  path: string,
  cwd: string,
  platform: NodeJS.Platform = process.platform,
): Promise<NamedPath> {
  if (leadsAway(path, platform)) return 'file';
  try {
    return (await stat(resolve(cwd, path))).isDirectory() ? 'folder' : 'file';
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'gone' : 'file';
  }
}
