import { randomUUID } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { lstat, mkdir, open, readlink, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { msg } from '../../language/messages.ts';
import { t } from '../../language/translate.ts';
import { CodedError, fullDisk } from '../../ports.ts';

/** Versions of larger files are not kept, and such files are not written. */
export const largestFile = 5 * 1024 * 1024;

/** A text file as it lies on disk. Line ends and a byte order mark are kept apart, so that texts can be compared. */
interface FileOnDisk {
  /** Null if there is no such file. */
  text: string | null;
  hasMark: boolean;
  hasCrlf: boolean;
  mode: number;
}

/** Where may be written. */
interface WritablePlaces {
  /** The folders of the session. */
  roots: readonly string[];
  /** Files outside of them that a person agreed to, for this one time. */
  outside: readonly string[];
}

const mark = '\u{feff}';
const looksElsewhere = msg('Look at the file yourself; its versions can be copied.');

/**
 * Reads a file that an agent changed. Throws `EditError` for a link, for a path that leads through one to outside of
 * the session's folders, for what is no text and for what is too large.
 */
export async function readGuarded(path: string, roots: readonly string[]): Promise<FileOnDisk> {
  if (resolve(path) === path && (await isGone(dirname(path))))
    return { text: null, hasMark: false, hasCrlf: false, mode: 0o644 };
  const folder = await heldFolder(path, roots);
  try {
    return await readOnDisk(folder.place(basename(path)));
  } catch (error) {
    if (error instanceof EditError) throw error;
    const why = reasonOf(error, folder, path);
    throw new EditError(
      'not-a-file',
      t('{name} couldn’t be read: {why}', { name: basename(path), why }),
      looksElsewhere,
      { cause: error },
    );
  } finally {
    await folder.close();
  }
}

/** Reads a text file, wherever it is. Rejects for a link, for what is no text and for what is too large. */
export async function readOnDisk(path: string): Promise<FileOnDisk> {
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
  const name = basename(path);
  if (text !== null)
    await makeFolder(path, roots).catch((error: unknown) => {
      const why = error instanceof Error ? error.message : String(error);
      const message = t('The folder of {name} couldn’t be made: {why}', { name, why });
      throw new EditError('not-written', message, remedyFor(error, dirname(dirname(path))), { cause: error });
    });
  const folder = await heldFolder(path, roots);
  try {
    if (!folder.isWithin && !outside.includes(path)) {
      throw new EditError(
        'outside',
        t('{path} is outside of the session’s folders.', { path }),
        t('Confirm that it may be written.'),
      );
    }
    if (text === null) await remove(folder, name);
    else await replace(folder, name, encode(text, as), as.mode);
  } catch (error) {
    if (error instanceof EditError) throw error;
    const why = reasonOf(error, folder, path);
    const remedy = remedyFor(error, dirname(path));
    throw new EditError('not-written', t('{name} couldn’t be written: {why}', { name, why }), remedy, { cause: error });
  } finally {
    await folder.close();
  }
}

/** The file is replaced as a whole, so its folder has to be writable as well. */
function remedyFor(error: unknown, folder: string): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'EROFS') return t('Its disk is read-only. Make it writable, then try again.');
  if (code === 'EACCES' || code === 'EPERM')
    return t('Make the file and its folder {folder} writable for your user, then try again.', { folder });
  return fullDisk(error, folder)?.remedy ?? t('Try again.');
}

async function replace(folder: HeldFolder, name: string, text: string, mode: number): Promise<void> {
  const beside = folder.place(besideName(name));
  try {
    const file = await open(beside, 'wx', mode);
    try {
      await folder.refuseMoved(name, beside);
      await file.writeFile(text);
      await file.chmod(mode);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(beside, folder.place(name));
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}

async function remove(folder: HeldFolder, name: string): Promise<void> {
  const [place, beside] = [folder.place(name), folder.place(besideName(name))];
  await rename(place, beside);
  try {
    await folder.refuseMoved(name, beside);
    await rm(beside);
  } catch (error) {
    await rename(beside, place);
    throw error;
  }
}

/** The reason, with the folder as a person knows it. */
function reasonOf(error: unknown, folder: HeldFolder, path: string): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replaceAll(folder.place(''), dirname(path));
}

function besideName(name: string): string {
  return `.${name}.${randomUUID()}`;
}

/** A folder as it is now, whatever its path leads to later. */
interface HeldFolder {
  /** Below one of the session's folders. */
  isWithin: boolean;
  place(name: string): string;
  /** Throws `EditError` if a file of it that was just created is elsewhere. */
  refuseMoved(name: string, file: string): Promise<void>;
  close(): Promise<void>;
}

/** No such folder, and no link of that name. */
async function isGone(folder: string): Promise<boolean> {
  return (await lstat(folder).catch((error: NodeJS.ErrnoException) => error.code)) === 'ENOENT';
}

/** Makes the folder of a file anew where it is gone, below one of the session's folders. */
async function makeFolder(path: string, roots: readonly string[]): Promise<void> {
  const folder = dirname(path);
  if (resolve(path) !== path || !(await isGone(folder))) return;
  let above = dirname(folder);
  while (await isGone(above)) above = dirname(above);
  // Through a link it would be made elsewhere; `heldFolder` refuses the rest.
  const real = await realpath(above).catch(() => null);
  if (real === null || !(await isBelow(real, roots)) || !(await areReal(above, roots))) return;
  await mkdir(folder, { recursive: true });
}

/** No part of the way to it from a folder of the session is a link. */
async function areReal(folder: string, roots: readonly string[]): Promise<boolean> {
  const found = await Promise.all(
    roots.map(
      async (root) =>
        isWithin(root, folder) && join(await realpath(root), relative(root, folder)) === (await realpath(folder)),
    ),
  );
  return found.some(Boolean);
}

/** The folder of a file. Throws `EditError` if a link leads from it outside the session's folders. */
async function heldFolder(path: string, roots: readonly string[]): Promise<HeldFolder> {
  const [name, folder] = [basename(path), dirname(path)];
  if (!isAbsolute(path) || resolve(path) !== path) {
    throw new EditError('detour', t('The path of {name} is not a plain one.', { name }), looksElsewhere);
  }
  const held = await (process.platform === 'linux' ? byHandle(folder) : byPath(folder));
  if (held === null)
    throw new EditError('not-a-file', t('The folder of {name} no longer exists.', { name }), looksElsewhere);
  const isWithin = await isBelow(held.real, roots);
  if (isWithin || held.real === folder) return { ...held, isWithin };
  await held.close();
  throw leadsElsewhere(name);
}

type FoundFolder = Omit<HeldFolder, 'isWithin'> & { real: string };

/** Null if there is none. */
async function byHandle(folder: string): Promise<FoundFolder | null> {
  const handle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY).catch(() => null);
  if (handle === null) return null;
  const at = `/proc/self/fd/${handle.fd}`;
  const real = await readlink(at).catch(() => null);
  if (real === null) {
    await handle.close();
    // Without /proc no file can be reached by its open folder.
    return await byPath(folder);
  }
  return { real, place: (name) => join(at, name), refuseMoved: async () => undefined, close: () => handle.close() };
}

/** Checks the place of each new file; a folder that is swapped and back between two looks is not noticed. */
async function byPath(folder: string): Promise<FoundFolder | null> {
  const real = await realpath(folder).catch(() => null);
  if (real === null) return null;
  return {
    real,
    place: (name) => join(real, name),
    refuseMoved: async (name, file) => {
      if ((await realpath(file)) !== file) throw leadsElsewhere(name);
    },
    close: async () => undefined,
  };
}

function leadsElsewhere(name: string): EditError {
  return new EditError(
    'detour',
    t('The folder of {name} leads elsewhere now, through a link.', { name }),
    looksElsewhere,
  );
}

/** Whether a file is below none of the session's folders, links of its own folder followed. */
export async function isOutside(path: string, roots: readonly string[]): Promise<boolean> {
  return !(await isBelow(await realpath(dirname(path)).catch(() => dirname(path)), roots));
}

async function isBelow(folder: string, roots: readonly string[]): Promise<boolean> {
  const real = await Promise.all(roots.map((root) => realpath(root).catch(() => root)));
  return real.some((root) => isWithin(root, folder));
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
  if (found.isSymbolicLink()) throw new EditError('link', t('{name} is a link now.', { name }), looksElsewhere);
  if (!found.isFile()) throw new EditError('not-a-file', t('{name} is no file now.', { name }), looksElsewhere);
  if (found.size > largestFile) throw new EditError('too-large', t('{name} is over 5 MB.', { name }), looksElsewhere);
  return found;
}

function decode(bytes: Buffer, path: string): Omit<FileOnDisk, 'mode'> {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new EditError('not-text', t('{name} is no text.', { name: basename(path) }), looksElsewhere);
  }
  return plainText(text);
}

/** A text without its mark and the kind of its line ends. */
export function plainText(whole: string): Omit<FileOnDisk, 'mode'> & { text: string } {
  const hasMark = whole.startsWith(mark);
  const text = hasMark ? whole.slice(1) : whole;
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

/**
 * - `link`, `detour`, `not-a-file`, `not-text`, `too-large`: a file that is never written here.
 * - `outside`: it is outside of the session's folders, and no person has agreed to it yet.
 * - `is-there`: the file that was to be brought back.
 * - `no-hunk`: there is no such place in its difference any more.
 * - `not-kept`: its version from before is kept no longer.
 */
type EditRefusal =
  | 'link'
  | 'detour'
  | 'not-a-file'
  | 'outside'
  | 'not-text'
  | 'too-large'
  | 'not-kept'
  | 'no-hunk'
  | 'is-there';

/** A file could not be put back. `message` says why, `remedy` what to do next. Nothing was changed. */
export class EditError extends CodedError<EditRefusal | 'not-written'> {
  override readonly name = 'EditError';
}
