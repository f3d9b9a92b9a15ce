import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cp, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, extname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Trash } from '../ports.ts';

const execute = promisify(execFile);

async function runProgram(file: string, args: readonly string[], env: Readonly<Record<string, string>>): Promise<void> {
  await execute(file, [...args], { env: { ...process.env, ...env }, windowsHide: true });
}

/** Where the trash is, and how a program is run that knows it; tests name other systems. */
interface TrashSystem {
  home?: string;
  platform?: NodeJS.Platform;
  /** @param env beside the variables of this process */
  run?(file: string, args: readonly string[], env: Readonly<Record<string, string>>): Promise<unknown>;
}

/** The trash of this machine as a terminal reaches it. */
export function nodeTrash(
  environment: Readonly<Record<string, string | undefined>>,
  { home = homedir(), platform = process.platform, run = runProgram }: TrashSystem = {},
): Trash {
  return async (path) => {
    const whole = resolve(path);
    await stat(whole);
    if (platform === 'win32') await run('powershell.exe', toRecycleBin, { JUMPSEAT_TRASHED: whole });
    else if (platform === 'darwin') await move(whole, await freeName(join(home, '.Trash'), basename(whole)));
    else await toXdgTrash(whole, join(environment.XDG_DATA_HOME || join(home, '.local', 'share'), 'Trash'));
  };
}

/** Follows the Trash specification 1.0 of freedesktop.org: the old place is noted before the file is moved. */
async function toXdgTrash(path: string, trash: string): Promise<void> {
  const [files, info] = [join(trash, 'files'), join(trash, 'info')];
  for (const folder of [files, info]) await mkdir(folder, { recursive: true, mode: 0o700 });
  const target = await freeName(files, basename(path));
  const note = join(info, `${basename(target)}.trashinfo`);
  const lay = path.split('/').map(encodeURIComponent).join('/');
  const date = new Date(Date.now() - new Date().getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
  await writeFile(note, `[Trash Info]\nPath=${lay}\nDeletionDate=${date}\n`, { flag: 'wx', mode: 0o600 });
  try {
    await move(path, target);
  } catch (error) {
    await rm(note, { force: true });
    throw error;
  }
}

async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    // On another disk: whole there before anything is taken away here.
    if (!(error instanceof Error && 'code' in error && error.code === 'EXDEV')) throw error;
    try {
      await cp(from, to, { recursive: true, errorOnExist: true, force: false, preserveTimestamps: true });
    } catch (failed) {
      await rm(to, { recursive: true, force: true });
      throw failed;
    }
    await rm(from, { recursive: true });
  }
}

async function freeName(folder: string, name: string): Promise<string> {
  const plain = join(folder, name);
  const isTaken = await stat(plain).then(
    () => true,
    () => false,
  );
  if (!isTaken) return plain;
  const end = extname(name);
  return join(folder, `${basename(name, end)} ${randomUUID().slice(0, 8)}${end}`);
}

/** The path goes in the environment: no character of it can be taken for a command. */
const toRecycleBin = [
  ...['-NoProfile', '-NonInteractive', '-Command'],
  `Add-Type -AssemblyName Microsoft.VisualBasic
$io = [Microsoft.VisualBasic.FileIO.FileSystem]
$path = $env:JUMPSEAT_TRASHED
$isFolder = Test-Path -LiteralPath $path -PathType Container
if ($isFolder) { $io::DeleteDirectory($path, 'OnlyErrorDialogs', 'SendToRecycleBin') }
else { $io::DeleteFile($path, 'OnlyErrorDialogs', 'SendToRecycleBin') }`,
];
