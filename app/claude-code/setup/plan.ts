import type { SettingsFile } from '../settings-file.ts';
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
  /** There is no such file yet: the setup makes it. */
  createsFile: boolean;
  /** Previous values that cannot be put back, since their backup is gone. */
  lost: string[];
  /**
   * The file's mode where other users can read it, and with it the key that is put there; `applySetup` closes it where
   * it is asked to.
   */
  openMode: string | null;
  /** Keys of ours are in the file now. */
  isSetUp: boolean;
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

export const newBackup = '(new)';

export interface SetupPlace {
  /** Claude Code's settings.json, see `claudeSettingsPath`. */
  settings: string;
  /** JUMPSEAT_HOME and its folder for backups. */
  paths: { home: string; backups: string };
}
