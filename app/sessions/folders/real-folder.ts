import { realpath, stat } from 'node:fs/promises';

/** A path that was given as a folder leads to none. */
export class NoFolderError extends Error {
  override readonly name = 'NoFolderError';
  readonly code = 'folder-gone';
  readonly mend = 'Choose another one.';
}

/** As the system resolves it. Rejects with `NoFolderError`. */
export async function realFolder(path: string): Promise<string> {
  const found = await stat(path).catch(() => null);
  if (found?.isDirectory() !== true) throw new NoFolderError(`${path} is no folder.`);
  return realpath(path);
}
