import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SetupChoices } from '../api/setup.ts';
import { pointsAtOurselves, proxyCircle } from './circle.ts';
import { sweepLeftOvers } from './left-overs.ts';
import { modeReadByOthers } from './read-by-others.ts';
import {
  assertWritable,
  closeSettingsFile,
  readSettingsFile,
  type SettingsFile,
  SetupError,
  shownPath,
  writeSettingsFile,
} from './settings-file.ts';
import { SettingsTextError } from './settings-nodes.ts';
import {
  hasEnv,
  isBesideEnv,
  isEmptySettings,
  putValue,
  readValues,
  removeEmptyEnv,
  removeValue,
  type SettingsValue,
  settingsValue,
} from './settings-text.ts';
import { type FileRecord, hashOf, readRecord, recordPath, writeRecord } from './setup-record.ts';

/**
 * Our keys into Claude Code's settings.json and out again. First a plan, which a person can look at, then the change,
 * which is refused when the file is no longer what the plan was made from.
 *
 * What is ours is what holds the value we wrote (`setup-record.ts`). A backup is the file as it would be without us,
 * made only when something of the person's is about to be replaced or the file is not ours yet; so our own values never
 * become a backup.
 */

export interface SetupChange {
  name: string;
  place: 'env' | 'beside';
  /** `same`: holds the value already. `left`: was ours, holds another value now, is left alone. */
  kind: 'add' | 'replace' | 'same' | 'remove' | 'restore' | 'left';
  /** As it may be shown: secrets are dots. Null: not there. */
  before: string | null;
  after: string | null;
}

export interface FilePlan {
  action: 'setup' | 'undo';
  /** The path as a person knows it: `~/.claude/settings.json`. */
  shown: string;
  /** In the order of the lines for Claude Code; for undo in the order they were written. */
  changes: SetupChange[];
  /** Whether anything would be written at all. */
  changesFile: boolean;
  /** Whether `applySetup` will keep a copy of the file first. */
  keepsBackup: boolean;
  /** Undo removes the file, since it was made by the setup and holds nothing else. */
  removesFile: boolean;
  /** Previous values that cannot be put back, since their backup is gone. */
  lost: string[];
  /**
   * The file's mode where other users can read it, and with it the key that is put there; `applySetup` closes it where
   * it is asked to.
   */
  openMode: string | null;
  /** As the file is now. */
  skipsWebFetchPreflight: boolean;
  readonly draft: Draft;
}

/** What the plan means for the disk; for `applySetup` and `applyUndo` alone. */
interface Draft {
  file: SettingsFile;
  text: string | null;
  backup: string | null;
  record: FileRecord | null;
}

const newBackup = '(new)';

export interface SetupPlace {
  /** Claude Code's settings.json, see `claudeSettingsPath`. */
  settings: string;
  /** JUMPSEAT_HOME and its folder for backups. */
  paths: { home: string; backups: string };
}

/**
 * What setting up would change. `variables` are the lines for Claude Code; a name that they lack is not touched.
 * Throws `SetupError`: broken JSON, read-only, or a file that sends Claude Code's own traffic in a circle.
 */
export async function planSetup(
  place: SetupPlace,
  variables: Readonly<Record<string, string>>,
  choices: SetupChoices = {},
): Promise<FilePlan> {
  const shown = shownPath(place.settings);
  const file = await readSettingsFile(place.settings);
  await assertWritable(file, shown);
  const text = file.text ?? '';
  const env = guarded(shown, () => readValues(text));
  refuseCircle(shown, env, variables);

  const known = (await readRecord(place.paths.home)).files[file.target] ?? null;
  const salt = known?.salt ?? randomBytes(16).toString('hex');
  const own = new Set(
    [...env].filter(([name, { value }]) => isOurs(known, name, value, variables)).map(([name]) => name),
  );
  const managed = own.size > 0;

  const keys: FileRecord['keys'] = {};
  const changes: SetupChange[] = [];
  const chosen = choices.skipWebFetchPreflight === true ? { skipWebFetchPreflight: true } : {};
  const values: Readonly<Record<string, string | boolean>> = { ...variables, ...chosen };
  for (const [name, wanted] of Object.entries(values)) {
    const current = env.get(name);
    const change = (kind: SetupChange['kind']) => ({
      name,
      place: placeOf(name),
      kind,
      before: current ? shownValue(name, current.value) : null,
      after: shownValue(name, wanted),
    });
    const wrote = hashOf(salt, wanted);
    if (!current) {
      changes.push(change('add'));
      keys[name] = { wrote, backup: null };
    } else if (current.value === wanted) {
      changes.push(change('same'));
      // What the person had chosen themselves is not ours to take out later; lines of ours that they pasted are.
      const before = known?.keys[name];
      if (before?.wrote === wrote) keys[name] = before;
      else if (known === null && managed) keys[name] = { wrote, backup: null };
    } else {
      changes.push(change('replace'));
      keys[name] = { wrote, backup: own.has(name) ? (known?.keys[name]?.backup ?? null) : newBackup };
    }
  }
  const written = changes.filter(({ kind }) => kind !== 'same');
  const replacesTheirs = Object.values(keys).some(({ backup }) => backup === newBackup);
  const next = guarded(shown, () =>
    written.reduce((now, { name }) => putValue(now, name, JSON.stringify(values[name])), text),
  );
  assertOthersKept(text, next, Object.keys(chosen));

  const needsBackup = written.length > 0 && !isEmptySettings(text) && (!managed || replacesTheirs);
  const backup = needsBackup ? (await withoutOurs(place, known, text, own)).text : null;
  const created = file.text === null ? 'file' : text.trim() === '' ? 'text' : null;
  return {
    action: 'setup',
    shown,
    changes,
    changesFile: written.length > 0,
    keepsBackup: backup !== null,
    removesFile: false,
    lost: [],
    openMode: 'ANTHROPIC_AUTH_TOKEN' in variables ? await modeReadByOthers(file.target) : null,
    skipsWebFetchPreflight: skipsPreflight(env),
    draft: {
      file,
      text: next,
      backup,
      record: {
        salt,
        created: managed ? (known?.created ?? null) : created,
        createdEnv: managed ? (known?.createdEnv ?? false) : !guarded(shown, () => hasEnv(text)),
        keys: managed ? { ...known?.keys, ...keys } : keys,
      },
    },
  };
}

/**
 * Does what the plan says. Returns the path of the backup, or null where none was needed. Throws `SetupError`.
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
  const kept = backup === null ? null : await writeBackup(place.paths.backups, backup);
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
    keepsBackup: false,
    removesFile: false,
    lost: [],
    openMode: null,
    skipsWebFetchPreflight: false,
  };
  if (known === null || file.text === null)
    return { ...nothing, draft: { file, text: file.text, backup: null, record: null } };

  const text = file.text;
  const env = guarded(shown, () => readValues(text));
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
    skipsWebFetchPreflight: skipsPreflight(env),
    changes,
    changesFile: own.size > 0,
    removesFile,
    lost,
    draft: { file, text: removesFile ? null : emptied, backup: null, record: null },
  };
}

/** Does what the plan says and forgets that the file was ours. Throws `SetupError`. */
export async function applyUndo(place: SetupPlace, plan: FilePlan): Promise<void> {
  const { file, text } = plan.draft;
  await sweepSetups(place);
  if (plan.changesFile) await writeSettingsFile(file, text, plan.shown);
  await saveRecord(place, file.target, null);
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

/** Why a person may want the file to be closed; null where others can't read it. */
export function openModeNote({ openMode, shown }: Pick<FilePlan, 'openMode' | 'shown'>): string | null {
  if (openMode === null) return null;
  return `Other users of this machine can read ${shown} (mode ${openMode}), and so the local key in it.`;
}

/** How many of our keys are in the file, and how many hold something else now; for the check in Health. */
export async function readSetup(place: SetupPlace): Promise<{
  ours: number;
  changed: number;
  openMode: string | null;
  /** WebFetch does not ask Anthropic before it loads a page, as Jumpseat or the person has set. */
  skipsWebFetchPreflight: boolean;
  env: Map<string, SettingsValue>;
}> {
  const file = await readSettingsFile(place.settings);
  const env = guarded(shownPath(place.settings), () => readValues(file.text ?? ''));
  const known = (await readRecord(place.paths.home)).files[file.target] ?? null;
  const names = Object.keys(known?.keys ?? {});
  const ours = names.filter((name) => known && stillOurs(known, name, env.get(name)?.value)).length;
  const openMode = env.has('ANTHROPIC_AUTH_TOKEN') ? await modeReadByOthers(file.target) : null;
  return { ours, changed: names.length - ours, openMode, skipsWebFetchPreflight: skipsPreflight(env), env };
}

/** A value as it may be shown. Anything that may be a secret is dots; user and password in an address too. */
export function shownValue(name: string, value: unknown): string {
  if (value === '') return '""';
  if (/TOKEN|API_KEY|SECRET|PASSWORD|CUSTOM_HEADERS/.test(name)) return '••••••••';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.replace(/\/\/[^/@\s]*@/, '//••••••••@');
}

function isOurs(
  known: FileRecord | null,
  name: string,
  value: unknown,
  variables: Readonly<Record<string, string>>,
): boolean {
  return stillOurs(known, name, value) || isOurAddressOrKey(name, value, variables);
}

function stillOurs(known: FileRecord | null, name: string, value: unknown): boolean {
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

async function withoutOurs(
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

async function backedUp(backups: string, file: string, name: string): Promise<SettingsValue | undefined> {
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
async function writeBackup(backups: string, text: string): Promise<{ name: string; path: string }> {
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

async function saveRecord(place: SetupPlace, target: string, file: FileRecord | null): Promise<void> {
  const record = await readRecord(place.paths.home);
  const { [target]: old, ...files } = record.files;
  if (file === null && old === undefined) return;
  await writeRecord(place.paths.home, { ...record, files: file === null ? files : { ...files, [target]: file } });
}

function refuseCircle(
  shown: string,
  env: ReadonlyMap<string, SettingsValue>,
  variables: Readonly<Record<string, string>>,
): void {
  const port = portOf(variables.ANTHROPIC_BASE_URL ?? '');
  if (port === null) return;
  const values = Object.fromEntries(
    [...env].map(([name, { value }]) => [name, typeof value === 'string' ? value : undefined]),
  );
  const name = proxyCircle(values, port);
  if (name === null) return;
  const line = env.get(name)?.line ?? null;
  throw new SetupError(
    'circle',
    `${name} in ${shown}, line ${line}, is Jumpseat itself. Requests would run in a circle.`,
    `Remove ${name} from "env" there; ANTHROPIC_BASE_URL is what leads Claude Code to Jumpseat.`,
    line,
  );
}

function portOf(address: string): number | null {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  return url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
}

function guarded<T>(shown: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof SettingsTextError)) throw error;
    throw new SetupError(
      'invalid',
      `${shown} ${error.message}. Nothing was changed.`,
      'Mend the file, or paste the lines of "jumpseat env" into your shell.',
      error.line,
    );
  }
}

function skipsPreflight(values: ReadonlyMap<string, SettingsValue>): boolean {
  return values.get('skipWebFetchPreflight')?.value === true;
}

function placeOf(name: string): SetupChange['place'] {
  return isBesideEnv(name) ? 'beside' : 'env';
}

/** The last line of defence: an edit that reached beyond `env` and what was wished for is never written. */
function assertOthersKept(before: string, after: string, besideEnv: readonly string[]): void {
  const ours = new Set<unknown>(['env', ...besideEnv]);
  const rest = (text: string) => {
    const value = settingsValue(text);
    return JSON.stringify(
      Array.isArray(value) ? value.filter((pair) => Array.isArray(pair) && !ours.has(pair[0])) : [],
    );
  };
  if (rest(before) !== rest(after)) {
    throw new Error('An edit of Claude Code’s settings reached beyond our own keys and was not written.');
  }
}
