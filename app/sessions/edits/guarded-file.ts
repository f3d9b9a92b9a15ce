import { randomUUID } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { lstat, open, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { EditError } from './edit-error.ts';

/** Versions of larger files are not kept, and such files are not written. */
export const largestFile = 5 * 1024 * 1024;

/** A text file as it lies on disk. Line ends and a byte order mark are kept apart, so that texts can be compared. */
export interface FileOnDisk {
  /** Null: there is no such file. */
  text: string | null;
  hasMark: boolean;
  hasCrlf: boolean;
  mode: number;
}

/** Where may be written. */
export interface WritablePlaces {
  /** The folders of the session. */
  roots: readonly string[];
  /** Files outside of them that a person agreed to, for this one time. */
  outside: readonly string[];
}

const mark = '\u{feff}';
const looksElsewhere = 'Look at the file yourself; its versions can be copied.';

/**
 * Reads a file that an agent changed. Throws `EditError` for a link, for a path that leads through one to outside of
 * the session's folders, for what is no text and for what is too large.
 */
export async function readGuarded(path: string, roots: readonly string[]): Promise<FileOnDisk> {
  await refuseDetours(path, roots);
  try {
    return await read(path);
  } catch (error) {
    if (error instanceof EditError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new EditError('not-a-file', `${basename(path)} couldn’t be read: ${why}`, looksElsewhere, { cause: error });
  }
}

async function read(path: string): Promise<FileOnDisk> {
  const found = await statOf(path);
  if (found === null) return { text: null, hasMark: false, hasCrlf: false, mode: 0o644 };
  // A link that came in between is not followed.
  const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    return { ...decode(await file.readFile(), path), mode: found.mode & 0o777 };
  } finally {
    await file.close();
  }
}

/**
 * Writes it whole or not at all; `null` takes it away. Throws `EditError`, also for a file outside of the session's
 * folders that no person agreed to.
 * @param as how the file was when it was read
 */
export async function writeGuarded(
  path: string,
  text: string | null,
  as: FileOnDisk,
  { roots, outside }: WritablePlaces,
): Promise<void> {
  await refuseDetours(path, roots);
  if (!outside.includes(path) && (await isOutside(path, roots))) {
    throw new EditError('outside', `${path} is outside of the session’s folders.`, 'Confirm that it may be written.');
  }
  try {
    if (text === null) await rm(path);
    else await replace(path, encode(text, as), as.mode);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new EditError('not-written', `${basename(path)} couldn’t be written: ${why}`, 'Try again.', { cause: error });
  }
}

async function replace(path: string, text: string, mode: number): Promise<void> {
  const beside = join(dirname(path), `.${basename(path)}.${randomUUID()}`);
  try {
    const file = await open(beside, 'wx', mode);
    try {
      await file.writeFile(text);
      await file.chmod(mode);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}

async function refuseDetours(path: string, roots: readonly string[]): Promise<void> {
  const name = basename(path);
  if (!isAbsolute(path) || resolve(path) !== path) {
    throw new EditError('detour', `The path of ${name} is not a plain one.`, looksElsewhere);
  }
  const folder = await realpath(dirname(path)).catch(() => null);
  if (folder === null) throw new EditError('not-a-file', `The folder of ${name} isn’t there any more.`, looksElsewhere);
  if (folder !== dirname(path) && (await isOutside(path, roots))) {
    throw new EditError('detour', `The folder of ${name} leads elsewhere now, through a link.`, looksElsewhere);
  }
}

/** Whether a file is below none of the session's folders, links of its own folder followed. */
export async function isOutside(path: string, roots: readonly string[]): Promise<boolean> {
  const folder = await realpath(dirname(path)).catch(() => dirname(path));
  const real = await Promise.all(roots.map((root) => realpath(root).catch(() => root)));
  return !real.some((root) => isWithin(root, folder));
}

function isWithin(root: string, path: string): boolean {
  const below = relative(root, path);
  return below !== '..' && !below.startsWith(`..${sep}`) && !isAbsolute(below);
}

async function statOf(path: string): Promise<Stats | null> {
  const found = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (found === null) return null;
  const name = basename(path);
  if (found.isSymbolicLink()) throw new EditError('link', `${name} is a link now.`, looksElsewhere);
  if (!found.isFile()) throw new EditError('not-a-file', `${name} is no file now.`, looksElsewhere);
  if (found.size > largestFile) throw new EditError('too-large', `${name} is over 5 MB.`, looksElsewhere);
  return found;
}

function decode(bytes: Buffer, path: string): Omit<FileOnDisk, 'mode'> {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new EditError('not-text', `${basename(path)} is no text.`, looksElsewhere);
  }
  const hasMark = text.startsWith(mark);
  if (hasMark) text = text.slice(1);
  // Only where all line ends are of that kind they can be put back.
  const hasCrlf = text.includes('\r\n') && !/(^|[^\r])\n/.test(text);
  return { text: hasCrlf ? text.replaceAll('\r\n', '\n') : text, hasMark, hasCrlf };
}

function encode(text: string, { hasMark, hasCrlf }: FileOnDisk): string {
  const lines = hasCrlf ? text.replaceAll('\n', '\r\n') : text;
  return hasMark ? mark + lines : lines;
}

/** A version as it is compared with what `readGuarded` gives. */
export function comparable(version: string | null, { hasCrlf }: FileOnDisk): string | null {
  if (version === null) return null;
  const plain = version.startsWith(mark) ? version.slice(1) : version;
  return hasCrlf ? plain.replaceAll('\r\n', '\n') : plain;
}
