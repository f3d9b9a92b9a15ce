import { modeReadByOthers } from '../read-by-others.ts';
import { readSettingsFile, shownPath } from '../settings-file.ts';
import { readValues, type SettingsValue } from '../settings-text.ts';
import { readRecord } from '../setup-record.ts';
import { stillOurs } from './own-values.ts';
import type { FilePlan, SetupPlace } from './plan.ts';
import { guarded } from './safe-edit.ts';

/** Why a person may want the file to be closed; null where others can't read it. */
export function openModeNote({ openMode, shown }: Pick<FilePlan, 'openMode' | 'shown'>): string | null {
  if (openMode === null) return null;
  return `Other users of this machine can read ${shown} (mode ${openMode}), and so the local key in it.`;
}

/** How many of our keys are in the file, and the names of those that hold something else now. */
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
