import { randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Problem } from '../../api/call.ts';
import { setupLabel } from '../../api/names.ts';
import { msg } from '../../language/messages.ts';
import { t, translated } from '../../language/translate.ts';
import { pointsAtOurselves } from '../leading-variables.ts';
import { readSettingsFile, shownPath } from '../settings-file.ts';
import { putValue, readValues, removeValue, type SettingsValue, windowPath } from '../settings-text.ts';
import { type FileRecord, hashOf, readRecord } from '../setup-record.ts';
import { backedUp } from './apply.ts';
import { type FilePlan, guarded, type SetupPlace } from './plan.ts';

/** Why a person may want the file to be closed; null if others can't read it. */
export function openModeNote({ openMode, shown }: Pick<FilePlan, 'openMode' | 'shown'>): string | null {
  if (openMode === null) return null;
  return t('Other users of this machine can read {file} (mode {mode}), and so the local key in it.', {
    file: shown,
    mode: openMode,
  });
}

/** Why each request of Claude Code is refused where it shows another key than Jumpseat asks for. */
export function otherKey(shown: string): string {
  return t('The key in {place} isn’t the one that Jumpseat asks for, so Claude Code gets error 401.', { place: shown });
}

/** @param isKeyKept false: the setup would be refused, since the key ends with Jumpseat */
export function setUpAgain(isKeyKept: boolean): string {
  if (isKeyKept) return t('Run "jumpseat setup claude-code".');
  return t(
    'The local key isn’t stored here: set JUMPSEAT_KEY, then run "jumpseat setup claude-code". For one terminal, use the lines of "jumpseat env".',
  );
}

export const copyLinesAgain = msg('Copy the lines again, and paste them into this terminal.');

/** Why requests of Claude Code don't reach Jumpseat where its settings name another address. */
function otherAddress(shown: string, address: string, port: number): string {
  return t('{file} sends Claude Code to {address}, and Jumpseat is at http://127.0.0.1:{port}.', {
    file: shown,
    address,
    port: String(port),
  });
}

interface SetupRead {
  /** Keys of ours are in the file: what every front says of it. */
  isSetUp: boolean;
  ours: number;
  changed: string[];
  /** How long it keeps conversations was chosen in Jumpseat. */
  keepsDays: boolean;
  openMode: string | null;
  /** WebFetch does not ask Anthropic before it loads a page, as Jumpseat or the person has set. */
  skipsWebFetchPreflight: boolean;
  /** The key without its label that Claude Code shows at our address; null if the file has none, or another address. */
  shownKey: string | null;
  /** Address to which Claude Code sends its requests; null if it is ours, or the file has none. */
  elsewhere: string | null;
  hasAddress: boolean;
  /** A command of the person's says the key. */
  hasKeyHelper: boolean;
  env: Map<string, SettingsValue>;
}

/**
 * Why Claude Code can't work by a file that is set up, or by the variables of a shell that lead it here; null if it
 * can, as far as is known. What the file lacks may come from the shell.
 */
export function setupFault(
  { isSetUp, elsewhere, hasAddress, hasKeyHelper, shownKey, env: inFile }: SetupRead,
  given: {
    shown: string;
    port: number;
    key: string | null;
    isKeyKept: boolean;
    env: Readonly<Record<string, string | undefined>>;
  },
): Problem | null {
  const { shown, port, key, env } = given;
  const setUp = setUpAgain(given.isKeyKept);
  if (isSetUp && elsewhere !== null)
    return { code: 'other-address', text: otherAddress(shown, elsewhere, port), remedy: setUp };
  if (shownKey !== null && key !== null && shownKey !== key)
    return { code: 'other-key', text: otherKey(shown), remedy: setUp };
  const isByShell = !hasAddress && pointsAtOurselves(env.ANTHROPIC_BASE_URL ?? '', port);
  if (!isSetUp && !isByShell) return null;
  if (!hasAddress && !env.ANTHROPIC_BASE_URL) {
    return {
      code: 'no-address',
      text: t('{file} has no ANTHROPIC_BASE_URL, so Claude Code sends its requests to Anthropic.', { file: shown }),
      remedy: setUp,
    };
  }
  if (elsewhere !== null || hasKeyHelper || inFile.has('ANTHROPIC_AUTH_TOKEN')) return null;
  const shellKey = keyOf(env.ANTHROPIC_AUTH_TOKEN ?? '');
  const remedy = isByShell ? translated(copyLinesAgain) : setUp;
  if (shellKey === '') {
    const text = isByShell
      ? t('This shell has no ANTHROPIC_AUTH_TOKEN, so Claude Code has no key for Jumpseat.')
      : t('{file} has no ANTHROPIC_AUTH_TOKEN, so Claude Code has no key for Jumpseat.', { file: shown });
    return { code: 'no-key', text, remedy };
  }
  if (key === null || shellKey === key) return null;
  return { code: 'other-key', text: otherKey(t('this shell')), remedy };
}

/**
 * How many of our keys are in the file, and the names of those that hold something else now. Both are empty where
 * nothing was set up, or it was undone.
 */
export async function readSetup(place: SetupPlace): Promise<SetupRead> {
  const file = await readSettingsFile(place.settings);
  const env = guarded('look', shownPath(place.settings), () => readValues(file.text ?? ''));
  const { known, own } = await ownKeys(place, file.target, env);
  // A status line with a format of the person's own is as good, and so is a window that they chose.
  const changed = Object.keys(known?.keys ?? {}).filter(
    (name) => !own.has(name) && name !== 'statusLine' && windowPath(name) === null,
  );
  const openMode = env.has('ANTHROPIC_AUTH_TOKEN') ? await modeReadByOthers(file.target) : null;
  const token = env.get('ANTHROPIC_AUTH_TOKEN')?.value;
  const address = addressIn(env);
  const isOurs = pointsAtOurselves(address, place.port());
  const shownKey = typeof token === 'string' && isOurs ? keyOf(token) : null;
  const elsewhere = address !== '' && !isOurs ? address : null;
  const skipsWebFetchPreflight = skipsPreflight(env);
  const isSetUp = own.size > 0;
  const hasAddress = address !== '';
  const hasKeyHelper = /"apiKeyHelper"\s*:/.test(file.text ?? '');
  const found = { openMode, skipsWebFetchPreflight, shownKey, elsewhere, hasAddress, hasKeyHelper };
  return { isSetUp, ours: own.size, changed, keepsDays: own.has('cleanupPeriodDays'), env, ...found };
}

/** Empty if the file has none. */
function addressIn(env: ReadonlyMap<string, SettingsValue>): string {
  const address = env.get('ANTHROPIC_BASE_URL')?.value;
  return typeof address === 'string' ? address : '';
}

export function skipsPreflight(values: ReadonlyMap<string, SettingsValue>): boolean {
  return values.get('skipWebFetchPreflight')?.value === true;
}

/**
 * The keys in the file that are ours: what still holds what our record says, our address, and a key for it. Where the
 * record is lost, or the lines were pasted by hand, a record is made up of these and of what equals our lines.
 * @param variables our lines, as far as they are known
 */
export async function ownKeys(
  { paths, port }: SetupPlace,
  target: string,
  env: ReadonlyMap<string, SettingsValue>,
  variables: Readonly<Record<string, string>> = {},
): Promise<{ known: FileRecord | null; own: Set<string>; isRecorded: boolean }> {
  const recorded = (await readRecord(paths.home)).files[target] ?? null;
  const token = env.get('ANTHROPIC_AUTH_TOKEN')?.value;
  const leadsHere = pointsAtOurselves(addressIn(env), port());
  const key = keyOf(variables.ANTHROPIC_AUTH_TOKEN ?? '');
  const opensOurs =
    typeof token === 'string' &&
    ((key !== '' && keyOf(token) === key) || (leadsHere && token.endsWith(`.${setupLabel}`)));
  const led = [...(leadsHere ? ['ANTHROPIC_BASE_URL'] : []), ...(opensOurs ? ['ANTHROPIC_AUTH_TOKEN'] : [])];
  if (recorded !== null || led.length === 0) {
    const still = [...env].filter(([name, { value }]) => stillOurs(recorded, name, value)).map(([name]) => name);
    return { known: recorded, own: new Set([...still, ...led]), isRecorded: recorded !== null };
  }
  const same = [...env].filter(([name, { value }]) => name in variables && variables[name] === String(value));
  const own = new Set([...led, ...same.map(([name]) => name)]);
  const salt = randomBytes(16).toString('hex');
  const keys = Object.fromEntries(
    [...own].map((name) => [name, { wrote: hashOf(salt, env.get(name)?.value), backup: null }]),
  );
  return { known: { salt, created: null, createdEnv: false, emptyObjects: [], keys }, own, isRecorded: false };
}

/** The key without its label. */
export const keyOf = (token: string): string => token.split('.')[0] ?? '';

function stillOurs(known: FileRecord | null, name: string, value: unknown): boolean {
  const key = known?.keys[name];
  return known !== null && key !== undefined && value !== undefined && key.wrote === hashOf(known.salt, value);
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
      now = removeValue(now, name, known?.emptyObjects);
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
 * The mode of a file that other users of the machine can read (`0644`); null if they can't: by its mode, by that of
 * a folder above it, or because its group is the user's own. On Windows modes mean nothing; there the profile folder's
 * rights protect the file.
 */
export async function modeReadByOthers(path: string, platform = process.platform): Promise<string | null> {
  if (platform === 'win32') return null;
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
