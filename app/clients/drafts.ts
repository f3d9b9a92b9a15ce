import { rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { structuredPatch } from 'diff';
import type { ClientName, ClientPlan, ClientUse } from '../api/setup.ts';
import {
  closeSettingsFile,
  missingFolder,
  readSettingsFile,
  removeEmptyFolders,
  type SettingsFile,
  sweepLeftOvers,
  writeSettingsFile,
} from '../claude-code/settings-file.ts';
import { writeBackup } from '../claude-code/setup/apply.ts';
import { type FileRecord, readRecord, remember } from './client-record.ts';
import { withoutKey } from './lines.ts';

/** One file and what becomes of it. */
export interface Draft {
  /** Uses that are set up or undone in it. */
  uses: readonly ClientUse[];
  file: SettingsFile;
  shown: string;
  /** Null: it is removed. */
  text: string | null;
  left: string[];
  /** The file without us, for a new backup; null: the one that is there stays good, or none is needed. */
  backup: string | null;
  record: FileRecord | null;
  /** Others can read it, and would the key in it. */
  closed: boolean;
  /** That it had before. */
  mode: number | null;
  modeNote: string | null;
  /** The outermost folder that was made for it, to be removed. */
  folder: string | null;
  /** Values that we replaced are lost. */
  isBackupGone: boolean;
  /** No record says that the entries are ours. */
  isUnrecorded: boolean;
}

interface Drafted {
  name: ClientName;
  action: ClientPlan['action'];
  drafts: readonly Draft[];
}

interface Folders {
  home: string;
  /** The folder of backups. */
  backups: string;
}

/** One file that was written, and how to take that back. */
interface Applied {
  backup: string | null;
  /** A copy that isn't needed any more. */
  old: string | null;
  takeBack(): Promise<void>;
}

/**
 * Writes all files of a plan. Where one can't be written, those before it get their text back, so that a program never
 * has half of a setup. Returns the paths of new backups. Throws `SetupError`.
 */
export async function applyDrafts({ name, action, drafts }: Drafted, folders: Folders): Promise<string[]> {
  const done: Applied[] = [];
  for (const draft of drafts) {
    try {
      done.push(await applied(draft, name, action, folders));
    } catch (error) {
      for (const { takeBack } of done.toReversed()) await takeBack();
      throw error;
    }
  }
  for (const { old } of done) if (old !== null) await rm(old, { force: true });
  return done.flatMap(({ backup }) => backup ?? []);
}

async function applied(
  { file, shown, text, backup, record, closed, mode, folder }: Draft,
  name: ClientName,
  action: ClientPlan['action'],
  { home, backups }: Folders,
): Promise<Applied> {
  await sweepLeftOvers(file.target);
  const former = (await readRecord(home)).files[file.target] ?? null;
  const oldMode = file.text === null ? null : ((await stat(file.target).catch(() => null))?.mode ?? null);
  const made = file.text === null ? await missingFolder(file.target) : null;
  // In this order, so that whatever stops us in between, undo still knows what is ours and where the old text is.
  const kept = backup === null ? null : await writeBackup(backups, `${name}-${basename(file.target)}`, backup);
  let copy: string | null = null;
  if (record !== null && text !== null) {
    const before = action === 'undo' ? record.before : (kept?.name ?? record.before);
    const written = await writeBackup(backups, `${name}-written-${basename(file.target)}`, text);
    copy = written.path;
    await remember(home, file.target, { ...record, before, written: written.name });
  }
  // The file is as it was, and so is what is known of it.
  const forget = async (): Promise<void> => {
    await remember(home, file.target, former);
    for (const path of [copy, kept?.path]) if (path) await rm(path, { force: true });
  };
  try {
    if (text !== file.text) await writeSettingsFile(file, text, shown, { closed, ...(mode !== null && { mode }) });
    else if (closed) await closeSettingsFile(file, shown);
  } catch (error) {
    await forget();
    throw error;
  }
  if (text === null && folder !== null) await removeEmptyFolders(file.target, folder);
  if (record === null) await remember(home, file.target, null);
  return {
    backup: kept?.path ?? null,
    old: former === null ? null : join(backups, former.written),
    takeBack: async () => {
      const now = await readSettingsFile(file.target);
      // What somebody wrote since is theirs.
      if (now.text !== text) return;
      await writeSettingsFile(now, file.text, shown, oldMode === null ? {} : { mode: oldMode & 0o7777 });
      if (made !== null) await removeEmptyFolders(file.target, made);
      await forget();
    },
  };
}

/** Names whose values are nobody else's to see. */
const secret = /((?:key|token|secret|password|authorization)["']?\s*[:=]\s*)("[^"]*"|'[^']*'|[^\s,}]+)/gi;

/** A line of the person's that gets or loses nothing but the comma behind it. */
function isComma(line: string, lines: readonly string[]): boolean {
  const [sign, text] = [line.slice(0, 1), line.slice(1)];
  const twin = (other: string): boolean => lines.includes(`${sign === '+' ? '-' : '+'}${other}`);
  return twin(`${text},`) || (text.endsWith(',') && twin(text.slice(0, -1)));
}

/** The lines that change, and none beside them. Secrets are dots. */
export function difference(before: string, after: string, key: string): ClientPlan['files'][number]['difference'] {
  const { hunks } = structuredPatch('', '', before, after, '', '', { context: 0 });
  const kinds = { '+': 'added', '-': 'removed' } as const;
  return hunks.flatMap(({ lines }, index) => [
    ...(index === 0 ? [] : [{ kind: 'skipped' as const, text: '…' }]),
    ...lines
      .filter((line) => !isComma(line, lines))
      .flatMap((line) => {
        const kind = Object.entries(kinds).find(([sign]) => line.startsWith(sign))?.[1];
        const text = withoutKey(line.slice(1), key).replace(secret, '$1••••••••');
        return kind === undefined ? [] : [{ kind, text: text.trimEnd() }];
      }),
  ]);
}
