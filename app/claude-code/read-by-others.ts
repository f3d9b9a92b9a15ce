import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * The mode of a file that other users of the machine can read (`0644`); null where they can't: by its mode, by that of
 * a folder above it, or because its group is the user's own. On Windows modes mean nothing; there the profile folder's
 * rights protect the file.
 */
export async function modeReadByOthers(path: string): Promise<string | null> {
  if (process.platform === 'win32') return null;
  const file = await stat(path).catch(() => null);
  if (file === null) return null;
  let everybody = (file.mode & 0o004) !== 0;
  // A group of the user's own has, by the custom of Linux, the user's number.
  let group = (file.mode & 0o040) !== 0 && file.gid !== file.uid;
  for (let folder = dirname(path); everybody || group; folder = dirname(folder)) {
    const above = await stat(folder).catch(() => null);
    if (above === null) return null;
    everybody &&= (above.mode & 0o001) !== 0;
    group &&= (above.mode & 0o011) !== 0;
    if (folder === dirname(folder)) break;
  }
  return everybody || group ? (file.mode & 0o777).toString(8).padStart(4, '0') : null;
}
