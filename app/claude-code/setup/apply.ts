import { mkdir, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sentences } from '../../language/sentences.ts';
import { t } from '../../language/translate.ts';
import { fullDisk } from '../../ports.ts';
import {
  closeSettingsFile,
  readSettingsFile,
  SetupError,
  sweepLeftOvers,
  writeSettingsFile,
} from '../settings-file.ts';
import { readValues, type SettingsValue } from '../settings-text.ts';
import { type FileRecord, readRecord, recordPath, writeRecord } from '../setup-record.ts';
import { backupFolderOf, type FilePlan, newBackup, type SetupPlace } from './plan.ts';

/**
 * Does what the plan says. Returns the path of the backup, or null if none was needed. Throws `SetupError`.
 * @param closed the person wants the file to be readable for its owner alone (mode 0600)
 */
export async function applySetup(
  place: SetupPlace,
  plan: FilePlan,
  { closed = false }: { closed?: boolean } = {},
): Promise<{ backup: string | null }> {
  const { file, text, backup, record: planned } = plan.draft;
  await sweepSetups(place);
  if (!plan.changesFile || planned === null || text === null) {
    if (planned !== null && Object.keys(planned.keys).length > 0) await saveRecord(place, file.target, planned);
    if (closed && file.text !== null) await closeSettingsFile(file, plan.shown);
    return { backup: null };
  }
  // In this order, so that whatever stops us in between, undo still knows what is ours and where the old values are.
  const kept = backup === null ? null : await writeBackup(backupFolderOf(place.paths.backups), 'settings.json', backup);
  const keys = Object.fromEntries(
    Object.entries(planned.keys).map(([name, key]) => [
      name,
      key.backup === newBackup ? { ...key, backup: kept?.name ?? null } : key,
    ]),
  );
  await saveRecord(place, file.target, { ...planned, keys });
  await writeSettingsFile(file, text, plan.shown, { closed });
  return { backup: kept?.path ?? null };
}

/** Does what the plan says and forgets what of the file was ours. Throws `SetupError`. */
export async function applyUndo(place: SetupPlace, plan: FilePlan): Promise<void> {
  const { file, text, record } = plan.draft;
  await sweepSetups(place);
  if (plan.changesFile) await writeSettingsFile(file, text, plan.shown);
  await saveRecord(place, file.target, record);
}

/**
 * Takes away what a setup that was killed left, beside this settings.json and every other that we know of. Never
 * rejects.
 */
export async function sweepSetups({ settings, paths }: SetupPlace): Promise<void> {
  const here = await readSettingsFile(settings).catch(() => null);
  const known = Object.keys((await readRecord(paths.home)).files);
  const targets = new Set([...(here === null ? [] : [here.target]), ...known, recordPath(paths.home)]);
  for (const target of targets) await sweepLeftOvers(target);
}

async function saveRecord(place: SetupPlace, target: string, file: FileRecord | null): Promise<void> {
  const record = await readRecord(place.paths.home);
  const { [target]: old, ...files } = record.files;
  if (file === null && old === undefined) return;
  await writeRecord(place.paths.home, { ...record, files: file === null ? files : { ...files, [target]: file } });
}

export async function backedUp(backups: string, file: string, name: string): Promise<SettingsValue | undefined> {
  try {
    return readValues(await readFile(join(backupFolderOf(backups), file), 'utf8')).get(name);
  } catch {
    return undefined;
  }
}

/** Never over an existing file: the name is taken with `wx`, and counted up. Throws `SetupError`. */
export async function writeBackup(folder: string, of: string, text: string): Promise<{ name: string; path: string }> {
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw cannotKeep(folder, error);
  });
  const stamp = new Date().toISOString().replaceAll(':', '-');
  for (let n = 1; n < 1000; n++) {
    const name = `${stamp}${n === 1 ? '' : `-${n}`}.${of}`;
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
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw cannotKeep(folder, error);
    }
  }
  throw cannotKeep(folder, null);
}

export function cannotKeep(folder: string, error: unknown): SetupError {
  const full = fullDisk(error, folder);
  if (full !== null)
    return new SetupError(
      'read-only',
      sentences(t('No backup could be written, so nothing was changed.'), full.text),
      full.remedy,
    );
  return new SetupError(
    'read-only',
    t('No backup could be written to {folder}, so nothing was changed.', { folder }),
    t('Allow writing there, then try again.'),
  );
}
