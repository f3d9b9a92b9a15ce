import { assertWritable, readSettingsFile, shownPath } from '../settings-file.ts';
import {
  blocksNotIn,
  isBesideEnv,
  isEmptySettings,
  readValues,
  removeEmptyEnv,
  type SettingsValue,
} from '../settings-text.ts';
import { readRecord } from '../setup-record.ts';
import {
  assertOthersKept,
  type FilePlan,
  guarded,
  placeOf,
  type SetupChange,
  type SetupPlace,
  shownSetting,
} from './plan.ts';
import { startsOurs } from './plan-setup.ts';
import { ownKeys, skipsPreflight, withoutOurs } from './read-setup.ts';

type Lines = () => Promise<Readonly<Record<string, string>>>;

/**
 * What undoing would change: every key that still holds our value goes, or gets back what it replaced. Throws
 * `SetupError`.
 * @param lines our lines, asked for only where the record of what was written is lost
 * @param only names of the keys to be undone; none: all of them
 */
export async function planUndo(place: SetupPlace, lines: Lines, only: readonly string[] = []): Promise<FilePlan> {
  const shown = shownPath(place.settings);
  const file = await readSettingsFile(place.settings);
  const nothing = {
    action: 'undo' as const,
    shown,
    changes: [],
    changesFile: false,
    backupFolder: null,
    removesFile: false,
    createsFile: false,
    changedBlocks: [],
    lost: [],
    openMode: null,
    isSetUp: false,
    skipsWebFetchPreflight: false,
  };
  const unchanged = { ...nothing, draft: { file, text: file.text, backup: null, record: null } };
  const text = file.text ?? '';
  const isRecorded = (await readRecord(place.paths.home)).files[file.target] !== undefined;
  // Where nothing was written, a file that can't be read has nothing to take out.
  if (!isRecorded && !isReadable(text)) return unchanged;
  const env = guarded('undo', shown, () => readValues(text));
  const { known, own: all } = await knownKeys(place, file.target, env, lines);
  const isMeant = (name: string): boolean => only.length === 0 || only.includes(name);
  const own = new Set([...all].filter(isMeant));
  const rest = Object.fromEntries(Object.entries(known?.keys ?? {}).filter(([name]) => !isMeant(name)));
  const isWhole = Object.keys(rest).length === 0;
  // Without our program it would show nothing.
  const isOurLine = isMeant('statusLine') && startsOurs(env.get('statusLine')?.raw ?? '');
  if (known === null && !isOurLine) return unchanged;
  const { text: without, restored, lost } = await withoutOurs(place, known, text, own);
  const next = known?.createdEnv && isWhole ? removeEmptyEnv(without) : without;
  assertOthersKept(text, next, [...own].filter(isBesideEnv));
  if (own.size > 0) await assertWritable(file, shown);

  const changes = [
    ...new Set([...Object.keys(known?.keys ?? {}).filter(isMeant), ...own, ...(isOurLine ? ['statusLine'] : [])]),
  ].flatMap((name): SetupChange[] => {
    const current = env.get(name);
    if (!current) return [];
    const change = { name, place: placeOf(name), before: shownSetting(name, current) };
    if (!own.has(name)) return [{ ...change, kind: 'left', after: change.before }];
    const old = restored.get(name);
    return [
      old ? { ...change, kind: 'restore', after: shownSetting(name, old) } : { ...change, kind: 'remove', after: null },
    ];
  });
  const removesFile = isWhole && own.size > 0 && known?.created === 'file' && isEmptySettings(next);
  const emptied = isWhole && known?.created === 'text' && isEmptySettings(next) ? '' : next;
  return {
    ...nothing,
    isSetUp: own.size > 0,
    skipsWebFetchPreflight: skipsPreflight(env),
    changes,
    changesFile: own.size > 0,
    removesFile,
    createsFile: false,
    changedBlocks: blocksNotIn(next, text),
    lost,
    draft: {
      ...{ file, text: removesFile ? null : emptied, backup: null },
      record: known === null || isWhole ? null : { ...known, keys: rest },
    },
  };
}

function isReadable(text: string): boolean {
  try {
    return readValues(text) !== null;
  } catch {
    return false;
  }
}

async function knownKeys(
  place: SetupPlace,
  target: string,
  env: ReadonlyMap<string, SettingsValue>,
  lines: Lines,
): ReturnType<typeof ownKeys> {
  const found = await ownKeys(place, target, env);
  return found.isRecorded || found.own.size === 0 ? found : ownKeys(place, target, env, await lines());
}
