import { stat } from 'node:fs/promises';
import type { NamedPath } from '../../api/session-surroundings.ts';

/** What a path leads to. What may not be looked at counts as a file: whoever reads it will say so. */
export async function namedPath(path: string): Promise<NamedPath> {
  try {
    return (await stat(path)).isDirectory() ? 'folder' : 'file';
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'gone' : 'file';
  }
}
