import { createHash, randomBytes } from 'node:crypto';
import {
  access,
  chmod,
  chown,
  constants,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  rmdir,
  stat,
} from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join, posix, resolve, sep, win32 } from 'node:path';
import { t } from '../language/translate.ts';
import { CodedError } from '../ports.ts';
import { isRunning } from '../settings/files.ts';

/** Far longer than a write takes: a process that has the id by now is another one than the one that wrote it. */
const longestWriteMs = 60_000;

/** A name beside `path` for a file that takes its place when it is whole. */
export function temporaryBeside(path: string): string {
  return `${path}.jumpseat-${process.pid}-${randomBytes(4).toString('hex')}`;
}

/**
 * Takes away what a process that was killed left beside `path`: files that `temporaryBeside` named, of a process that
 * runs no more. They hold what was to be written, the local key among it. Never rejects.
 */
export async function sweepLeftOvers(path: string): Promise<void> {
  const folder = dirname(path);
  const stem = `${basename(path)}.jumpseat-`;
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.startsWith(stem)) continue;
    const pid = /^([1-9]\d{0,9})-[0-9a-f]{8}$/.exec(name.slice(stem.length))?.[1];
    if (pid === undefined) continue;
    const file = join(folder, name);
    const found = await lstat(file).catch(() => null);
    if (!found?.isFile()) continue;
    if (isRunning(Number(pid)) && Date.now() - found.mtimeMs < longestWriteMs) continue;
    await rm(file, { force: true }).catch(() => undefined);
  }
}

/**
 * Claude Code's settings could not be read or changed. `message` says what and why, `remedy` what to do; nothing was
 * written.
 */
export class SetupError extends CodedError<'invalid' | 'unreadable' | 'read-only' | 'changed' | 'circle'> {
  override readonly name = 'SetupError';
  /** Where in the file, from 1. */
  readonly line: number | null;
  constructor(code: SetupError['code'], message: string, remedy: string, line: number | null = null) {
    super(code, message, remedy);
    this.line = line;
  }
}

/** A person's folder: what `homedir` reads too, of the environment that counts here. */
export function userHome(env: Readonly<Record<string, string | undefined>>): string {
  return (process.platform !== 'win32' && env.HOME) || homedir();
}

/** Where Claude Code reads its user settings: `CLAUDE_CONFIG_DIR`, else `~/.claude`. */
export function claudeSettingsPath(
  env: Readonly<Record<string, string | undefined>>,
  home: string = userHome(env),
): string {
  return join(env.CLAUDE_CONFIG_DIR || join(home, '.claude'), 'settings.json');
}

/** An administrator's settings, which win over all others. In the order of Claude Code: the later wins. */
export async function managedSettingsFiles(platform: NodeJS.Platform): Promise<string[]> {
  const { join } = platform === 'win32' ? win32 : posix;
  const folder =
    platform === 'darwin'
      ? '/Library/Application Support/ClaudeCode'
      : platform === 'win32'
        ? 'C:\\Program Files\\ClaudeCode'
        : '/etc/claude-code';
  const parts = join(folder, 'managed-settings.d');
  const names = (await readdir(parts).catch(() => [])).filter((name) => name.endsWith('.json')).sort();
  return [join(folder, 'managed-settings.json'), ...names.map((name) => join(parts, name))];
}

/** `~/.claude/settings.json` */
export function shownPath(path: string, home: string = homedir()): string {
  return path.startsWith(home + sep) ? `~${sep}${path.slice(home.length + sep.length)}` : path;
}

export interface SettingsFile {
  /** The file itself, behind symbolic links. */
  target: string;
  /** Null if there is no such file. */
  text: string | null;
  /** Hash of the file's bytes; null if there is no file. */
  fingerprint: string | null;
}

export async function readSettingsFile(path: string): Promise<SettingsFile> {
  const shown = shownPath(path);
  const target = await targetOf(path);
  let bytes: Buffer;
  try {
    bytes = await readFile(target);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return { target, text: null, fingerprint: null };
    throw new SetupError(
      'unreadable',
      t('{file} can’t be read ({code}).', { file: shown, code: codeOf(error) }),
      t('Check its owner and mode, then try again.'),
    );
  }
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new SetupError(
      'invalid',
      t('{file} isn’t UTF-8 text.', { file: shown }),
      t('Save it as UTF-8, then try again.'),
    );
  }
  return { target, text, fingerprint: fingerprintOf(bytes) };
}

/** Whether `writeSettingsFile` may. Also for root, a file without write permission stays as it is. */
export async function assertWritable(file: SettingsFile, shown: string): Promise<void> {
  if (file.text === null) return;
  const { mode } = await stat(file.target);
  const allowed =
    (mode & 0o222) !== 0 &&
    (await access(file.target, constants.W_OK).then(
      () => true,
      () => false,
    ));
  if (!allowed) throw readOnly(shown);
}

/** A mode without the rights of the group and of others. */
export const closedFor = (mode: number): number => mode & 0o7700;

/** Makes the file its owner's alone. Throws `SetupError`. */
export async function closeSettingsFile(file: SettingsFile, shown: string): Promise<void> {
  try {
    await chmod(file.target, closedFor((await stat(file.target)).mode));
  } catch (error) {
    throw new SetupError(
      'read-only',
      t('{file} couldn’t be made readable only for you ({code}).', { file: shown, code: codeOf(error) }),
      t('Run "{command}" as its owner.', { command: `chmod 600 ${shown}` }),
    );
  }
}

/**
 * Puts the text in place of what `file` says was there, or removes the file (null). Whole or not at all; owner and mode
 * stay, unless it is to be closed for others, or gets a mode back; a new file is for its user only. Refused when the
 * file is not what it was when it was read.
 */
export async function writeSettingsFile(
  file: SettingsFile,
  text: string | null,
  shown: string,
  { closed = false, mode }: { closed?: boolean; mode?: number } = {},
): Promise<void> {
  await assertUnchanged(file, shown);
  await assertWritable(file, shown);
  try {
    if (text === null) {
      await rm(file.target);
      return;
    }
    await mkdir(dirname(file.target), { recursive: true, mode: 0o700 });
    const old = file.text === null ? null : await stat(file.target);
    const temporary = temporaryBeside(file.target);
    try {
      const rights = mode ?? (old === null ? 0o600 : closed ? closedFor(old.mode) : old.mode & 0o7777);
      const handle = await open(temporary, 'wx', 0o600);
      try {
        await handle.writeFile(text);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await chmod(temporary, rights);
      if (old !== null && (old.uid !== process.getuid?.() || old.gid !== process.getgid?.())) {
        await chown(temporary, old.uid, old.gid).catch(() => undefined);
      }
      await assertUnchanged(file, shown);
      await rename(temporary, file.target);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  } catch (error) {
    if (error instanceof SetupError) throw error;
    const code = codeOf(error);
    if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') throw readOnly(shown);
    throw new SetupError(
      'read-only',
      t('{file} couldn’t be written ({code}). Nothing was changed.', { file: shown, code }),
      t('Free some space or repair the disk, then try again.'),
    );
  }
}

/** The outermost folder on the way to a file that isn't there; null if all are. */
export async function missingFolder(path: string): Promise<string | null> {
  let missing: string | null = null;
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    if ((await stat(folder).catch(() => null)) !== null) break;
    missing = folder;
  }
  return missing;
}

/** Removes the folders around a file up to `outermost`, as far as they are empty. Never rejects. */
export async function removeEmptyFolders(path: string, outermost: string): Promise<void> {
  for (let folder = dirname(path); `${folder}${sep}`.startsWith(`${outermost}${sep}`); folder = dirname(folder)) {
    const isRemoved = await rmdir(folder).then(
      () => true,
      () => false,
    );
    if (!isRemoved) return;
  }
}

async function assertUnchanged(file: SettingsFile, shown: string): Promise<void> {
  const now = await readFile(file.target).then(fingerprintOf, (error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  });
  if (now !== file.fingerprint) {
    throw new SetupError(
      'changed',
      t('{file} changed while you looked. Nothing was written.', { file: shown }),
      t('Look at the changes again.'),
    );
  }
}

/** Follows symbolic links, also to a file that is not there yet. */
async function targetOf(path: string): Promise<string> {
  let now = path;
  for (let links = 0; links < 40; links++) {
    try {
      return await realpath(now);
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') break;
    }
    const link = await lstat(now).catch(() => null);
    if (!link?.isSymbolicLink()) {
      const folder = await realpath(dirname(now)).catch(() => dirname(now));
      return join(folder, now.slice(dirname(now).length + 1));
    }
    now = resolve(dirname(now), await readlink(now));
  }
  throw new SetupError(
    'unreadable',
    t('{file} is a link that leads nowhere.', { file: shownPath(path) }),
    t('Fix the link, then try again.'),
  );
}

function readOnly(shown: string): SetupError {
  return new SetupError(
    'read-only',
    t('{file} is read-only. Nothing was changed.', { file: shown }),
    t('Allow writing to it, or paste the lines of "jumpseat env" yourself.'),
  );
}

function fingerprintOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown';
}
