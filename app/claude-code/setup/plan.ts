import { join } from 'node:path';
import type { SettingsBlock } from '../../api/setup.ts';
import { msg } from '../../language/messages.ts';
import { sentences } from '../../language/sentences.ts';
import { t, translated } from '../../language/translate.ts';
import { type SettingsFile, SetupError } from '../settings-file.ts';
import { SettingsTextError } from '../settings-nodes.ts';
import { isBesideEnv, type SettingsValue, settingsValue, windowPath } from '../settings-text.ts';
import type { FileRecord } from '../setup-record.ts';

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
  /** The value to show, secrets as dots. Null if it is not there. */
  before: string | null;
  after: string | null;
}

export interface FilePlan {
  action: 'setup' | 'undo';
  /** The path as a person knows it: `~/.claude/settings.json`. */
  shown: string;
  /** Changes in the order of the lines for Claude Code; for undo, in the order they were written. */
  changes: SetupChange[];
  /** Whether anything would be written at all. */
  changesFile: boolean;
  /** The folder in which `applySetup` saves a copy of the file first, as a person knows it; null if it saves none. */
  backupFolder: string | null;
  /** Undo removes the file, since it was made by the setup and holds nothing else. */
  removesFile: boolean;
  /** There is no such file yet: the setup makes it. */
  createsFile: boolean;
  /** Objects that the setup makes in the file, or the undo takes out of it. */
  changedBlocks: SettingsBlock[];
  /** Previous values that cannot be put back, since their backup is gone. */
  lost: string[];
  /**
   * The file's mode where other users can read it, and with it the key that is put there; `applySetup` closes it where
   * it is asked to.
   */
  openMode: string | null;
  /** Keys of ours are in the file now. */
  isSetUp: boolean;
  /** True if WebFetch doesn't ask Anthropic first, by the file as it is now. */
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

export const newBackup = '(new)';

export interface SetupPlace {
  /** Claude Code's settings.json, see `claudeSettingsPath`. */
  settings: string;
  /** JUMPSEAT_HOME and its folder for backups. */
  paths: { home: string; backups: string };
  /** Where clients find the proxy, or would: an address with it is ours. */
  port: () => number;
  /** How this Jumpseat is started in a shell; `jumpseat` unless given. */
  command?: string | undefined;
}

export function backupFolderOf(backups: string): string {
  return join(backups, 'claude-code');
}

/** A value as it may be shown. Anything that may be a secret is dots; user and password in an address too. */
export function shownValue(name: string, value: unknown): string {
  if (value === '') return '""';
  if (/TOKEN|API_KEY|SECRET|PASSWORD|CUSTOM_HEADERS/.test(name)) return '••••••••';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.replace(/\/\/[^/@\s]*@/, '//••••••••@');
}

/** The same for one that stands in the file: an object as it is written there, on one line. */
export function shownSetting(name: string, { value, raw }: Pick<SettingsValue, 'value' | 'raw'>): string {
  return shownValue(name, Array.isArray(value) ? raw.replace(/\s*[\r\n]\s*/g, ' ') : value);
}

export function placeOf(name: string): SetupChange['place'] {
  return isBesideEnv(name) ? 'beside' : 'env';
}

/** Whether something would have been changed, and what to do, by what the file was read for. */
const ends = {
  look: [false, msg('Fix the file, then check again.')],
  setup: [true, msg('Fix the file, or paste the lines of "jumpseat env" into your shell.')],
  undo: [true, msg('Fix the file, then undo the setup again.')],
} as const;

export function guarded<T>(action: keyof typeof ends, shown: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof SettingsTextError)) throw error;
    const [isChange, remedy] = ends[action];
    const what = t('{file} {problem}.', { file: shown, problem: error.message });
    const text = isChange ? sentences(what, t('Nothing was changed.')) : what;
    throw new SetupError('invalid', text, translated(remedy), error.line);
  }
}

/** The last line of defence: an edit that reached beyond `env` and what was chosen is never written. */
export function assertOthersKept(before: string, after: string, besideEnv: readonly string[]): void {
  const ours = besideEnv.map((name) => windowPath(name) ?? [name]);
  const rest = (text: string) => JSON.stringify(without(settingsValue(text) ?? [], [['env'], ...ours]));
  if (rest(before) !== rest(after)) {
    throw new Error('An edit of Claude Code’s settings reached beyond our own keys and was not written.');
  }
}

/** A value as a list of pairs, without what stands at these paths and objects that hold nothing else. */
function without(value: unknown, paths: readonly (readonly string[])[]): unknown {
  if (!Array.isArray(value)) return value;
  return value.flatMap((pair: unknown) => {
    const [key, inner] = Array.isArray(pair) ? pair : [];
    const below = paths.filter(([first]) => first === key);
    if (below.length === 0) return [pair];
    if (below.some((path) => path.length === 1)) return [];
    const rest = without(
      inner,
      below.map((path) => path.slice(1)),
    );
    return Array.isArray(rest) && rest.length === 0 ? [] : [[key, rest]];
  });
}
