import { mkdir, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SetupError } from '../settings-file.ts';
import { readValues, type SettingsValue } from '../settings-text.ts';

export async function backedUp(backups: string, file: string, name: string): Promise<SettingsValue | undefined> {
  try {
    return readValues(await readFile(join(folderOf(backups), file), 'utf8')).get(name);
  } catch {
    return undefined;
  }
}

function folderOf(backups: string): string {
  return join(backups, 'claude-code');
}

/** Never over an existing file: the name is taken with `wx`, and counted up. */
export async function writeBackup(backups: string, text: string): Promise<{ name: string; path: string }> {
  const folder = folderOf(backups);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const stamp = new Date().toISOString().replaceAll(':', '-');
  for (let n = 1; n < 1000; n++) {
    const name = `${stamp}${n === 1 ? '' : `-${n}`}.settings.json`;
    const path = join(folder, name);
    try {
      const handle = await open(path, 'wx', 0o600);
      try {
        await handle.writeFile(text);
        await handle.sync();
      } finally {
        await handle.close();
      }
      return { name, path };
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw cannotKeep(folder);
    }
  }
  throw cannotKeep(folder);
}

function cannotKeep(folder: string): SetupError {
  return new SetupError(
    'read-only',
    `No backup could be written to ${folder}, so nothing was changed.`,
    'Allow writing there, then try again.',
  );
}
