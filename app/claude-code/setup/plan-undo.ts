import { assertWritable, readSettingsFile, shownPath } from '../settings-file.ts';
import { isBesideEnv, isEmptySettings, readValues, removeEmptyEnv } from '../settings-text.ts';
import { readRecord } from '../setup-record.ts';
import {
  assertOthersKept,
  type FilePlan,
  guarded,
  placeOf,
  type SetupChange,
  type SetupPlace,
  shownValue,
} from './plan.ts';
import { skipsPreflight, stillOurs, withoutOurs } from './read-setup.ts';

/**
 * What undoing would change: every key that still holds our value goes, or gets back what it replaced. Throws
 * `SetupError`.
 */
export async function planUndo(place: SetupPlace): Promise<FilePlan> {
  const shown = shownPath(place.settings);
  const file = await readSettingsFile(place.settings);
  const known = (await readRecord(place.paths.home)).files[file.target] ?? null;
  const nothing = {
    action: 'undo' as const,
    shown,
    changes: [],
    changesFile: false,
    backupFolder: null,
    removesFile: false,
    createsFile: false,
    lost: [],
    openMode: null,
    isSetUp: false,
    skipsWebFetchPreflight: false,
  };
  if (known === null || file.text === null)
    return { ...nothing, draft: { file, text: file.text, backup: null, record: null } };

  const text = file.text;
  const env = guarded('undo', shown, () => readValues(text));
  const own = new Set(Object.keys(known.keys).filter((name) => stillOurs(known, name, env.get(name)?.value)));
  const { text: without, restored, lost } = await withoutOurs(place, known, text, own);
  const next = known.createdEnv ? removeEmptyEnv(without) : without;
  assertOthersKept(text, next, [...own].filter(isBesideEnv));
  if (own.size > 0) await assertWritable(file, shown);

  const changes = Object.keys(known.keys).flatMap((name): SetupChange[] => {
    const current = env.get(name);
    if (!current) return [];
    const change = { name, place: placeOf(name), before: shownValue(name, current.value) };
    if (!own.has(name)) return [{ ...change, kind: 'left', after: change.before }];
    const old = restored.get(name);
    return [
      old
        ? { ...change, kind: 'restore', after: shownValue(name, old.value) }
        : { ...change, kind: 'remove', after: null },
    ];
  });
  const removesFile = own.size > 0 && known.created === 'file' && isEmptySettings(next);
  const emptied = known.created === 'text' && isEmptySettings(next) ? '' : next;
  return {
    ...nothing,
    isSetUp: own.size > 0,
    skipsWebFetchPreflight: skipsPreflight(env),
    changes,
    changesFile: own.size > 0,
    removesFile,
    createsFile: false,
    lost,
    draft: { file, text: removesFile ? null : emptied, backup: null, record: null },
  };
}
