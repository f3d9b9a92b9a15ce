import { createHash, createHmac } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { clientNameSchema, clientUseSchema } from '../api/setup.ts';
import { closedFor, readSettingsFile, shownPath, writeSettingsFile } from '../claude-code/settings-file.ts';
import { t } from '../language/translate.ts';

/**
 * The entries that Jumpseat wrote into the files of programs. Values are kept as keyed hashes (one of them is the local
 * key); the file as it would be without us is in the named backup.
 */
const recordSchema = z.object({
  version: z.literal(1),
  files: z.record(
    z.string(),
    z.object({
      client: clientNameSchema,
      format: z.enum(['json', 'toml', 'yaml']),
      salt: z.string(),
      /** The name of the backup; null: there was no file. */
      before: z.string().nullable(),
      /** The file's mode before it was closed for others. Absent: it was closed. */
      mode: z.number().int().exactOptional(),
      /** The outermost folder that was made for it. Absent: there was one. */
      folder: z.string().exactOptional(),
      /** Hash of the whole text that we wrote: where it is still there, undo puts the backup back to the byte. */
      after: z.string(),
      /** The name of a copy of that text, by which undo knows our lines among others. */
      written: z.string(),
      entries: z.array(
        z.object({
          use: clientUseSchema,
          at: z.array(z.union([z.string(), z.record(z.string(), z.string())])),
          wrote: z.string(),
        }),
      ),
    }),
  ),
});
export type ClientRecord = z.infer<typeof recordSchema>;
export type FileRecord = ClientRecord['files'][string];

export const clientRecordPath = (home: string): string => join(home, 'clients.json');

/** Whether any program was set up: without loading what reads their files. */
export function hasSetUpClients(home: string): boolean {
  return existsSync(clientRecordPath(home));
}

/** The record; empty if its file is missing or damaged. `remember` renames a damaged file. */
export async function readRecord(home: string): Promise<ClientRecord> {
  const text = await readFile(clientRecordPath(home), 'utf8').catch(() => null);
  return (text === null ? null : parseRecord(text)) ?? { version: 1, files: {} };
}

export async function remember(home: string, target: string, file: FileRecord | null): Promise<void> {
  const { [target]: old, ...files } = (await readRecord(home)).files;
  if (file === null && old === undefined) return;
  const record: ClientRecord = { version: 1, files: file === null ? files : { ...files, [target]: file } };
  const path = clientRecordPath(home);
  const { text } = await readSettingsFile(path);
  if (text !== null && parseRecord(text) === null) await rename(path, `${path}.damaged-${Date.now()}`);
  await writeSettingsFile(await readSettingsFile(path), `${JSON.stringify(record, null, 2)}\n`, shownPath(path));
}

function parseRecord(text: string): ClientRecord | null {
  try {
    return recordSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

export function hashOf(salt: string, value: unknown): string {
  const hash = salt === '' ? createHash('sha256') : createHmac('sha256', salt);
  return hash.update(typeof value === 'string' ? value : JSON.stringify(sorted(value))).digest('hex');
}

/** Names in one order: a program that writes its file anew may change it. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, inner]) => [name, sorted(inner)]),
  );
}

/* A file whose mode lets others read it is closed for them when it gets the local key, and opened again by undo. */

/**
 * The mode (`0644`) of a file that its group or others may read; null if they may not. It is closed also where a folder
 * above keeps them out today: a folder's mode can change, and a copy of the file lies elsewhere.
 */
export async function openModeOf(path: string, platform = process.platform): Promise<string | null> {
  // On Windows modes mean nothing; there the profile folder's rights protect the file.
  if (platform === 'win32') return null;
  const mode = (await stat(path)).mode & 0o7777;
  return (mode & 0o077) === 0 ? null : mode.toString(8).padStart(4, '0');
}

export function fileIsClosed(shown: string, mode: string): string {
  return t('{file} becomes readable only for you (mode 0600 instead of {mode}), because the local key is in it.', {
    file: shown,
    mode,
  });
}

function fileIsOpened(shown: string, mode: string): string {
  return t('{file} gets its mode back ({mode}).', { file: shown, mode });
}

/** The rights that the setup took from others, where they are still as it left them. */
export async function openedAgain({ mode }: FileRecord, target: string, shown: string) {
  if (mode === undefined) return {};
  const now = (await stat(target)).mode & 0o7777;
  return now === closedFor(mode) ? { mode, modeNote: fileIsOpened(shown, mode.toString(8).padStart(4, '0')) } : {};
}
