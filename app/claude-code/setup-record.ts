import { createHmac } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isObject } from '../formats/wire/json.ts';
import type { Log } from '../ports.ts';
import { FileWatch } from '../settings/files.ts';
import { temporaryBeside } from './settings-file.ts';

/**
 * What we wrote into which settings file, so that undo takes exactly that out again. Values are kept as keyed hashes
 * (one of them is the local key); values of the person's that we replaced are in the named backup, nowhere else.
 */
interface SetupRecord {
  version: 1;
  files: Record<string, FileRecord>;
}

export interface FileRecord {
  salt: string;
  /** The file was not there, or held nothing: undo leaves it so. */
  created: 'file' | 'text' | null;
  createdEnv: boolean;
  /** Objects for windows that the person had, and that held nothing: undo leaves them so. */
  emptyObjects: string[];
  keys: Record<string, { wrote: string; backup: string | null }>;
}

export function recordPath(home: string): string {
  return join(home, 'claude-code.json');
}

/** The record, or an empty one where there is none or it cannot be read. Such a one is kept aside by `writeRecord`. */
export async function readRecord(home: string): Promise<SetupRecord> {
  const text = await readFile(recordPath(home), 'utf8').catch(() => null);
  return (text === null ? null : parseRecord(text)) ?? { version: 1, files: {} };
}

/** When something was set up or undone last, ms since the epoch; null if nothing ever was. */
export async function recordChangedAt(home: string): Promise<number | null> {
  return stat(recordPath(home)).then(
    ({ mtimeMs }) => mtimeMs,
    () => null,
  );
}

export async function writeRecord(home: string, record: SetupRecord): Promise<void> {
  const path = recordPath(home);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const old = await readFile(path, 'utf8').catch(() => null);
  if (old !== null && parseRecord(old) === null) await rename(path, `${path}.damaged-${Date.now()}`);
  const temporary = temporaryBeside(path);
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await handle.writeFile(`${JSON.stringify(record, null, 2)}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** A setup writes its record first: by then Claude Code's settings are written, too. */
const settleMs = 250;

/** Calls `changed` after each setup and undo that the record of this path has, by another process too. */
export function watchRecord(path: string, log: Log, changed: () => void): FileWatch {
  return new FileWatch(path, changed, { settleMs, log });
}

export function hashOf(salt: string, value: unknown): string {
  return createHmac('sha256', salt)
    .update(JSON.stringify(value) ?? '')
    .digest('hex');
}

/** Without zod, which a command that only asks the running Jumpseat doesn’t load. */
function parseRecord(text: string): SetupRecord | null {
  try {
    const { version, files }: { version?: unknown; files?: unknown } = JSON.parse(text);
    return version === 1 && isObject(files) ? { version, files: valuesIn(files, readFileRecord) } : null;
  } catch {
    return null;
  }
}

/** Throws for what is none. */
function readFileRecord(file: unknown): FileRecord {
  // An earlier version wrote no list of empty objects.
  const { salt, created, createdEnv, emptyObjects = [], keys } = isObject(file) ? file : {};
  if (typeof salt !== 'string' || typeof createdEnv !== 'boolean' || !isObject(keys) || !isTexts(emptyObjects))
    throw new TypeError('no record of a file');
  if (created !== null && created !== 'file' && created !== 'text') throw new TypeError('no record of a file');
  return { salt, created, createdEnv, emptyObjects, keys: valuesIn(keys, readKey) };
}

function readKey(key: unknown): FileRecord['keys'][string] {
  const { wrote, backup } = isObject(key) ? key : {};
  if (typeof wrote === 'string' && (backup === null || typeof backup === 'string')) return { wrote, backup };
  throw new TypeError('no record of a key');
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

function valuesIn<Value>(object: object, read: (value: unknown) => Value): Record<string, Value> {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, read(value)]));
}
