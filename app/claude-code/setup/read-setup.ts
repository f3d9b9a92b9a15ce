import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pointsAtOurselves } from '../circle.ts';
import { readSettingsFile, shownPath } from '../settings-file.ts';
import { putValue, readValues, removeValue, type SettingsValue } from '../settings-text.ts';
import { type FileRecord, hashOf, readRecord } from '../setup-record.ts';
import { backedUp } from './apply.ts';
import { type FilePlan, guarded, type SetupPlace } from './plan.ts';

/** Why a person may want the file to be closed; null where others can't read it. */
export function openModeNote({ openMode, shown }: Pick<FilePlan, 'openMode' | 'shown'>): string | null {
  if (openMode === null) return null;
  return `Other users of this machine can read ${shown} (mode ${openMode}), and so the local key in it.`;
}

/**
 * How many of our keys are in the file, and the names of those that hold something else now. Both are empty where
 * nothing was set up, or it was undone.
 */
export async function readSetup(place: SetupPlace): Promise<{
  ours: number;
  changed: string[];
  openMode: string | null;
  /** WebFetch does not ask Anthropic before it loads a page, as Jumpseat or the person has set. */
  skipsWebFetchPreflight: boolean;
  env: Map<string, SettingsValue>;
}> {
  const file = await readSettingsFile(place.settings);
  const env = guarded('look', shownPath(place.settings), () => readValues(file.text ?? ''));
  const known = (await readRecord(place.paths.home)).files[file.target] ?? null;
  const names = Object.keys(known?.keys ?? {});
  const changed = names.filter((name) => !known || !stillOurs(known, name, env.get(name)?.value));
  const ours = names.length - changed.length;
  const openMode = env.has('ANTHROPIC_AUTH_TOKEN') ? await modeReadByOthers(file.target) : null;
  return { ours, changed, openMode, skipsWebFetchPreflight: skipsPreflight(env), env };
}

export function skipsPreflight(values: ReadonlyMap<string, SettingsValue>): boolean {
  return values.get('skipWebFetchPreflight')?.value === true;
}

export function isOurs(
  known: FileRecord | null,
  name: string,
  value: unknown,
  variables: Readonly<Record<string, string>>,
): boolean {
  return stillOurs(known, name, value) || isOurAddressOrKey(name, value, variables);
}

export function stillOurs(known: FileRecord | null, name: string, value: unknown): boolean {
  const key = known?.keys[name];
  return known !== null && key !== undefined && value !== undefined && key.wrote === hashOf(known.salt, value);
}

/** Ours even where no record says so: pasted by hand, or the record was lost. */
function isOurAddressOrKey(name: string, value: unknown, variables: Readonly<Record<string, string>>): boolean {
  if (typeof value !== 'string') return false;
  if (name === 'ANTHROPIC_BASE_URL') {
    const port = portOf(variables[name] ?? '');
    return port !== null && pointsAtOurselves(value, port);
  }
  const key = (variables.ANTHROPIC_AUTH_TOKEN ?? '').split('.')[0];
  return name === 'ANTHROPIC_AUTH_TOKEN' && !!key && value.startsWith(`${key}.`);
}

export async function withoutOurs(
  place: SetupPlace,
  known: FileRecord | null,
  text: string,
  own: ReadonlySet<string>,
): Promise<{ text: string; restored: Map<string, SettingsValue>; lost: string[] }> {
  const restored = new Map<string, SettingsValue>();
  const lost: string[] = [];
  let now = text;
  // Last written, first removed: each key goes with exactly the comma and the line that came with it.
  for (const name of [...own].reverse()) {
    const backup = known?.keys[name]?.backup ?? null;
    const old = backup === null ? undefined : await backedUp(place.paths.backups, backup, name);
    if (backup !== null && !old) lost.push(name);
    if (old && !stillOurs(known, name, old.value)) {
      restored.set(name, old);
      now = putValue(now, name, old.raw);
    } else {
      now = removeValue(now, name);
    }
  }
  return { text: now, restored, lost };
}

export function portOf(address: string): number | null {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  return url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
}

/**
 * The mode of a file that other users of the machine can read (`0644`); null where they can't: by its mode, by that of
 * a folder above it, or because its group is the user's own. On Windows modes mean nothing; there the profile folder's
 * rights protect the file.
 */
export async function modeReadByOthers(path: string): Promise<string | null> {
  if (process.platform === 'win32') return null;
  const file = await stat(path).catch(() => null);
  if (file === null) return null;
  let everybody = (file.mode & 0o004) !== 0;
  // A group of the user's own has, by the custom of Linux, the user's number.
  let group = (file.mode & 0o040) !== 0 && file.gid !== file.uid;
  for (let folder = dirname(path); everybody || group; folder = dirname(folder)) {
    const above = await stat(folder).catch(() => null);
    if (above === null) return null;
    everybody &&= (above.mode & 0o001) !== 0;
    group &&= (above.mode & 0o011) !== 0;
    if (folder === dirname(folder)) break;
  }
  return everybody || group ? (file.mode & 0o777).toString(8).padStart(4, '0') : null;
}
