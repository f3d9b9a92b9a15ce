import { readFile } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import type { CallResult } from '../../app/api/calls.ts';

/** Pictures that models take. */
const pictureTypes: ReadonlyMap<string, string> = new Map([
  ['.png', 'image/png'],
  ['.jpg', 'image/jpeg'],
  ['.jpeg', 'image/jpeg'],
  ['.gif', 'image/gif'],
  ['.webp', 'image/webp'],
]);

/**
 * A file that the person picked, as the window attaches it: pictures with their bytes, because they are sent; others by
 * their path, which the agent reads. A picture that can't be read goes by its path too.
 */
export async function chosenFile(path: string): Promise<CallResult<'chooseFiles'>[number]> {
  const mimeType = pictureTypes.get(extname(path).toLowerCase());
  const bytes = mimeType === undefined ? null : await readFile(path).catch(() => null);
  if (mimeType === undefined || bytes === null) return { kind: 'path', path };
  return { kind: 'image', name: basename(path), mimeType, data: bytes.toString('base64') };
}
