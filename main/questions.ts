import type { SetupPlan } from '../app/api/setup.ts';
import { storageChoice } from '../app/words/account.ts';
import {
  backupIsGone,
  backupIsSaved,
  changedValues,
  changeQuestion,
  fileGoes,
  noteOf,
  notesToAgreeTo,
} from '../app/words/setup.ts';

/** What is asked before something is done that a person may regret. The safe button has the focus, and Esc means it. */
export interface Question {
  title: string;
  text: string;
  safe: string;
  action: string;
}

export const signOutQuestion: Question = {
  title: 'Sign out of GitHub?',
  text: 'The token is deleted on this machine. Claude Code stops working through Jumpseat. Your history stays.',
  safe: 'Cancel',
  action: 'Sign out',
};

/** Question about a file that a session names. @param path as the system resolves it */
export function outsideQuestion(path: string): Question {
  return {
    title: 'Open a file outside of this session’s folder?',
    text: `${path}\nThe path comes from a session’s text. The file is shown, not run.`,
    safe: 'Cancel',
    action: 'Open',
  };
}

export function stopQuestion(count: number): Question {
  return {
    title: count === 1 ? 'Stop 1 session?' : `Stop ${count} sessions?`,
    text: '',
    safe: 'Cancel',
    action: count === 1 ? 'Stop it' : 'Stop them',
  };
}

export const withoutWindowQuestion: Question = {
  title: 'Quit Jumpseat, or keep it running without a window?',
  text: 'There is no tray to find it in. Start Jumpseat again to see the window.',
  safe: 'Keep running',
  action: 'Quit',
};

/** Before a sign-in whose token would have no place. @param problem why, and how a keychain is had */
export function noKeychainQuestion({ text, remedy }: { text: string; remedy: string }): Question {
  return {
    title: text,
    text: paragraphs([storageChoice, remedy]),
    safe: 'Until I quit',
    action: 'Store in a file',
  };
}

export function setupQuestion(plan: SetupPlan): Question {
  if (!plan.changesFile) {
    return {
      title: `Use the keys that are already in ${plan.shown}?`,
      text: 'Claude Code is set up there. The file stays as it is, and Jumpseat can undo the setup later.',
      safe: 'Cancel',
      action: 'Use them',
    };
  }
  return {
    title: changeQuestion(plan),
    text: paragraphs([difference(plan.changes), backupIsSaved(plan), ...notesToAgreeTo(plan)]),
    safe: 'Cancel',
    action: 'Add to settings',
  };
}

/** Null if other users can't read the file. */
export function privateQuestion(plan: SetupPlan): Question | null {
  const open = noteOf(plan, 'open');
  if (open === null) return null;
  return { title: `Make ${plan.shown} private?`, text: open, safe: 'Leave it open', action: 'Make it private' };
}

export function undoQuestion(plan: SetupPlan): Question {
  return {
    title: `Remove Jumpseat’s keys from ${plan.shown}?`,
    text: paragraphs([
      difference(plan.changes),
      fileGoes(plan),
      backupIsGone(plan),
      'Keys that have other values now are left alone.',
    ]),
    safe: 'Cancel',
    action: 'Undo setup',
  };
}

function paragraphs(parts: readonly (string | null)[]): string {
  return parts.filter((part) => part !== null && part !== '').join('\n\n');
}

/** One line for the old and one for the new value; unchanged ones are left out. */
function difference(changes: SetupPlan['changes']): string {
  return changes.flatMap(differenceLines).join('\n');
}

function differenceLines(change: SetupPlan['changes'][number]): string[] {
  return changedValues(change)
    .filter(({ look }) => look !== 'same')
    .map(({ look, value }) => `${look === 'added' ? '+' : '−'} ${change.name}: ${shown(value)}`);
}

function shown(value: string | null): string {
  return value === '""' ? '(empty)' : (value ?? '');
}
