import { randomBytes } from 'node:crypto';
import type { SetupChoices, SetupPlan } from '../../api/setup.ts';
import { t } from '../../language/translate.ts';
import { shellCheck } from '../checks.ts';
import { contextWindows, type PromptLimits } from '../context-windows.ts';
import { missingModels, withStandIns } from '../env-snippet.ts';
import { proxyCircle } from '../leading-variables.ts';
import { assertWritable, readSettingsFile, SetupError, shownPath } from '../settings-file.ts';
import {
  blocksNotIn,
  emptyWindowObjects,
  hasEnv,
  isEmptySettings,
  putValue,
  readValues,
  type SettingsValue,
  setProperty,
  settingsValue,
  windowName,
} from '../settings-text.ts';
import { type FileRecord, hashOf } from '../setup-record.ts';
import { findShellVariables } from '../shell-variables.ts';
import { backedUp } from './apply.ts';
import {
  assertOthersKept,
  backupFolderOf,
  type FilePlan,
  guarded,
  newBackup,
  placeOf,
  type SetupChange,
  type SetupPlace,
  shownSetting,
} from './plan.ts';
import { modeReadByOthers, openModeNote, ownKeys, portOf, skipsPreflight, withoutOurs } from './read-setup.ts';

/**
 * What setting up would change. `variables` are the lines for Claude Code; a name that they lack is not touched.
 * `windows`: auto-compact windows by model; one that the person has set stays.
 * Throws `SetupError`: broken JSON, read-only, or a file that sends Claude Code's own traffic in a circle.
 */
export async function planSetup(
  place: SetupPlace,
  variables: Readonly<Record<string, string>>,
  choices: SetupChoices = {},
  windows: Readonly<Record<string, number>> = {},
): Promise<FilePlan> {
  const shown = shownPath(place.settings);
  const file = await readSettingsFile(place.settings);
  await assertWritable(file, shown);
  const text = file.text ?? '';
  const env = guarded('setup', shown, () => readValues(text));
  refuseCircle(shown, env, variables);

  const { known, own } = await ownKeys(place, file.target, env, variables);
  const salt = known?.salt ?? randomBytes(16).toString('hex');
  const managed = own.size > 0;

  const keys: FileRecord['keys'] = {};
  const changes: SetupChange[] = [];
  const chosen = {
    ...(choices.skipWebFetchPreflight === true ? { skipWebFetchPreflight: 'true' } : {}),
    ...(choices.keepDays === undefined ? {} : { cleanupPeriodDays: String(choices.keepDays) }),
    ...(choices.statusLine === true ? { statusLine: await statusLineText(place, known, env, own) } : {}),
    ...Object.fromEntries(
      Object.entries(windows)
        .map(([model, tokens]) => [windowName(model), String(tokens)] as const)
        .filter(([name]) => !env.has(name) || own.has(name)),
    ),
  };
  // As text, so that a person's own value keeps its form.
  const texts: Readonly<Record<string, string>> = {
    ...Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, JSON.stringify(value)])),
    ...chosen,
  };
  for (const [name, raw] of Object.entries(texts)) {
    const current = env.get(name);
    const wanted = raw.startsWith('{') ? settingsValue(raw) : JSON.parse(raw);
    const change = (kind: SetupChange['kind']) => ({
      name,
      place: placeOf(name),
      kind,
      before: current ? shownSetting(name, current) : null,
      after: shownSetting(name, { value: wanted, raw }),
    });
    const wrote = hashOf(salt, wanted);
    if (!current) {
      changes.push(change('add'));
      keys[name] = { wrote, backup: null };
    } else if (JSON.stringify(current.value) === JSON.stringify(wanted)) {
      changes.push(change('same'));
      // What the person had chosen themselves is not ours to take out later; lines of ours that they pasted are.
      const before = known?.keys[name];
      if (before?.wrote === wrote) keys[name] = before;
    } else {
      changes.push(change('replace'));
      keys[name] = { wrote, backup: own.has(name) ? (known?.keys[name]?.backup ?? null) : newBackup };
    }
  }
  const written = changes.filter(({ kind }) => kind !== 'same');
  const replacesTheirs = Object.values(keys).some(({ backup }) => backup === newBackup);
  const next = guarded('setup', shown, () =>
    written.reduce((now, { name }) => putValue(now, name, texts[name] ?? ''), text),
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
    backupFolder: backup === null ? null : shownPath(backupFolderOf(place.paths.backups)),
    removesFile: false,
    createsFile: created === 'file' && written.length > 0,
    changedBlocks: blocksNotIn(text, next),
    lost: [],
    openMode: 'ANTHROPIC_AUTH_TOKEN' in variables ? await modeReadByOthers(file.target) : null,
    isSetUp: managed,
    skipsWebFetchPreflight: skipsPreflight(env),
    draft: {
      file,
      text: next,
      backup,
      record: {
        salt,
        created: managed ? (known?.created ?? null) : created,
        createdEnv: managed ? (known?.createdEnv ?? false) : !guarded('setup', shown, () => hasEnv(text)),
        emptyObjects: managed ? (known?.emptyObjects ?? []) : guarded('setup', shown, () => emptyWindowObjects(text)),
        keys: managed ? { ...known?.keys, ...keys } : keys,
      },
    },
  };
}

/** Made of what the person has without us: of the backup, where ours is in the file. */
async function statusLineText(
  { paths, command = 'jumpseat' }: SetupPlace,
  known: FileRecord | null,
  env: ReadonlyMap<string, SettingsValue>,
  own: ReadonlySet<string>,
): Promise<string> {
  const name = 'statusLine';
  const current = env.get(name) ?? null;
  const backup = known?.keys[name]?.backup ?? null;
  const ofBackup = backup === null ? null : ((await backedUp(paths.backups, backup, name)) ?? null);
  return statusLineWith(own.has(name) ? ofBackup : current, command) ?? current?.raw ?? '';
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
    t('{name} in {file}, line {line}, is Jumpseat itself. Requests would run in a circle.', {
      name,
      file: shown,
      line: String(line),
    }),
    t('Remove {name} from "env" there; ANTHROPIC_BASE_URL is what leads Claude Code to Jumpseat.', { name }),
    line,
  );
}

/** What is written into settings.json would stop working. */
export class KeyNotKeptError extends Error {
  override readonly name = 'KeyNotKeptError';
  readonly code = 'key-not-kept';
  readonly remedy = t('Copy the lines for the shell instead, or choose another token storage.');
  constructor() {
    super(t('The local key can’t be stored here, so a setup would stop working when Jumpseat quits.'));
  }
}

type Notes = SetupPlan['notes'];

/**
 * The plan of a setup and what a person should know before agreeing to it. Throws `KeyNotKeptError` and `SetupError`.
 */
export async function draftSetup(given: {
  /** The lines for Claude Code as they are now. */
  variables: Readonly<Record<string, string>>;
  choices?: SetupChoices;
  haikuNote: string | null;
  promptLimits: PromptLimits;
  place: SetupPlace;
  env: Readonly<Record<string, string | undefined>>;
  /** The folder a person works in, whose own settings for Claude Code would win. */
  project: string | null;
  isKeyKept: boolean;
}): Promise<{ plan: FilePlan; notes: Notes }> {
  const { place, env, project } = given;
  const windows = contextWindows(given.promptLimits);
  const { variables, notes: standIns } = withStandIns(given.variables);
  if (!given.isKeyKept) throw new KeyNotKeptError();
  const plan = await planSetup(place, variables, given.choices, windows);
  const open = openModeNote(plan);
  const notes: Notes = open === null ? [] : [{ kind: 'open', text: open }];
  if (!plan.changesFile) return { plan, notes };
  const add = (kind: Notes[number]['kind'], ...texts: string[]): void => {
    for (const text of texts) notes.push({ kind, text });
  };
  add('models', ...missingModels(variables, given.haikuNote), ...standIns);
  const shell = shellCheck(await findShellVariables({ env, project }, variables), 'settings');
  if (shell.remedy !== null) add('shell', `${shell.finding} ${shell.remedy}`);
  return { plan, notes };
}

/**
 * Claude Code's `statusLine` with our command, as JSON text. A command that a person has there is given to ours, which
 * shows what it prints; everything else of it stays. Null: ours is there already, as the person has changed it.
 * @param theirs the person's own value, as text; null if they have none
 * @param jumpseat how this Jumpseat is started in a shell
 */
function statusLineWith(theirs: { value: unknown; raw: string } | null, jumpseat: string): string | null {
  const own = `${jumpseat} statusline`;
  const command = commandIn(theirs?.value);
  if (theirs === null || command === null) return `{ "type": "command", "command": ${JSON.stringify(own)} }`;
  if (startsOurs(command)) return null;
  return setProperty(theirs.raw, 'command', JSON.stringify(`${own} --with ${quoted(command)}`));
}

/** The command of a status line, or its whole value as text, runs ours, however a person has changed it. */
export function startsOurs(command: string): boolean {
  return /\bjumpseat\b.*\bstatusline\b/s.test(command);
}

/** Command of a status line, whose object was read as a list of pairs. Null if it starts no command. */
function commandIn(value: unknown): string | null {
  if (!Array.isArray(value)) return null;
  const of = (name: string): unknown => value.find((pair) => Array.isArray(pair) && pair[0] === name)?.[1];
  const command = of('command');
  return of('type') === 'command' && typeof command === 'string' && command.trim() !== '' ? command : null;
}

/** For the shells that Claude Code starts commands with: sh, and Git's bash on Windows. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
