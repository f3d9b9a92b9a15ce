import type { CopyAction, CopyShell } from './copy-actions.ts';
import type { WatchedSession } from './session-watch.ts';

export type TrayAction =
  | 'sign-in'
  | 'copy-code'
  | 'cancel-sign-in'
  | 'sign-out'
  | 'proxy-on'
  | 'proxy-off'
  | 'retry-port'
  | 'free-port'
  | 'retry'
  | 'usage'
  | 'billing'
  | 'open-github'
  | 'plans'
  | 'open-folder'
  | CopyAction
  | 'setup'
  | 'undo-setup'
  | 'open'
  | 'settings'
  | 'way'
  | OfAccount
  | OfSession
  | 'session-new'
  | 'sessions-stop'
  | 'open-at-login'
  | 'update'
  | 'quit';

const ofAccount = ['use-account', 'copy-code'] as const;

/** With the id of one of the person's own accounts. */
export type OfAccount = `${(typeof ofAccount)[number]}-${string}`;

/** With the id of a session. */
export type OfSession = `session-open-${string}`;

/**
 * `action: null` is a line that cannot be clicked; with `checked` it is a box that can be ticked. Ids are stable: tests
 * and scripts find an entry by them.
 */
export type TrayEntry =
  | { id: string; label: string; action: TrayAction | null; checked?: boolean }
  | { id: string; label: string; items: readonly TrayEntry[] }
  | 'separator';

/** What the menu shows besides the state of the app. */
export interface TrayFacts {
  now: number;
  /** Requests to show as running; what is over in a moment is not shown. */
  running: number;
  /** The person's own shell. */
  shell: CopyShell;
  /** Claude Code's settings.json holds our keys. */
  isSetup: boolean;
  /** Whether Jumpseat starts with the session; null where that is not ours to choose. */
  openAtLogin: boolean | null;
  /** The version that a restart would bring. */
  update: string | null;
  /** Those that this process holds. */
  sessions: readonly WatchedSession[];
  /** They are named by their titles. */
  titlesOutside: boolean;
}

/** What is to be done with which of the person's own accounts; null: it is about none of them. */
export function readOfAccount(action: TrayAction): { does: (typeof ofAccount)[number]; id: string } | null {
  const does = ofAccount.find((one) => action.startsWith(`${one}-`));
  return does === undefined ? null : { does, id: action.slice(does.length + 1) };
}

/** The id of the session that is to be opened; null: it is about none. */
export function readOfSession(action: TrayAction): string | null {
  const before = 'session-open-';
  return action.startsWith(before) ? action.slice(before.length) : null;
}

export function line(id: string, label: string): TrayEntry {
  return { id, label, action: null };
}

/** An entry whose action has the name of its id. */
export function entry<Action extends TrayAction>(
  id: Action,
  label: string,
): Exclude<TrayEntry, string> & { action: Action } {
  return { id, label, action: id };
}
