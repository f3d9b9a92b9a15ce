import type { CredentialKind } from '../app/api/account.ts';
import type { SetupPlan } from '../app/api/setup.ts';
import { inFrontLanguage } from '../app/language/front-language.ts';
import { inShownLanguage } from '../app/language/remembered.ts';
import { sentences } from '../app/language/sentences.ts';
import { t, translated } from '../app/language/translate.ts';
import { signOutWords, storageChoice } from '../app/words/account.ts';
import { type CutWords, cutWords } from '../app/words/quit.ts';
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

/** Each is made in the language that the tray app shows. */
const asked = (make: () => Question): Question => inFrontLanguage(make);

/** Where the token of a sign-in goes; null: there is to be no sign-in. */
export type StorageAnswer = 'memory' | 'file' | null;

export interface StorageQuestion {
  title: string;
  text: string;
  memory: string;
  file: string;
  cancel: string;
}

export function signOutQuestion(credential: CredentialKind | null): Question {
  return asked(() => ({
    title: t('Sign out of GitHub?'),
    text: sentences(signOutWords(credential), t('Claude Code stops working through Jumpseat. Your history stays.')),
    safe: t('Cancel'),
    action: t('Sign out'),
  }));
}

/** Question about a file that a session names. @param path as the system resolves it */
export function outsideQuestion(path: string): Question {
  return asked(() => ({
    title: t('Open a file outside of this session’s folder?'),
    text: `${path}\n${t('The path comes from a session’s text. The file is shown, not run.')}`,
    safe: t('Cancel'),
    action: t('Open'),
  }));
}

export function stopQuestion(count: number): Question {
  return asked(() => ({
    title: t('Stop {count, plural, one {# session} other {# sessions}}?', { count }),
    text: '',
    safe: t('Cancel'),
    action: t('Stop {count, plural, one {it} other {them}}', { count }),
  }));
}

export function withoutWindowQuestion(): Question {
  return asked(() => ({
    title: t('Quit Jumpseat, or keep it running without a window?'),
    text: t('There is no tray to find it in. Start Jumpseat again to see the window.'),
    safe: t('Keep running'),
    action: t('Quit'),
  }));
}

/** Before a sign-in whose token would have no place. @param problem why, and how a keychain is had */
export function noKeychainQuestion({ text, remedy }: { text: string; remedy: string }): StorageQuestion {
  return inFrontLanguage(() => ({
    title: inShownLanguage(text),
    text: paragraphs([translated(storageChoice), inShownLanguage(remedy)]),
    memory: t('Until I quit'),
    file: t('Store in a file'),
    cancel: t('Cancel'),
  }));
}

export function setupQuestion(plan: SetupPlan): Question {
  if (!plan.changesFile) {
    return asked(() => ({
      title: t('Use the keys that are already in {file}?', { file: plan.shown }),
      text: t('Claude Code is set up there. The file stays as it is, and Jumpseat can undo the setup later.'),
      safe: t('Cancel'),
      action: t('Use them'),
    }));
  }
  return asked(() => ({
    title: changeQuestion(plan),
    text: paragraphs([difference(plan.changes), backupIsSaved(plan), ...notesToAgreeTo(plan).map(inShownLanguage)]),
    safe: t('Cancel'),
    action: t('Add to settings'),
  }));
}

/** Null if other users can't read the file. */
export function privateQuestion(plan: SetupPlan): Question | null {
  const open = noteOf(plan, 'open');
  if (open === null) return null;
  return asked(() => ({
    title: t('Make {file} private?', { file: plan.shown }),
    text: inShownLanguage(open),
    safe: t('Leave it open'),
    action: t('Make it private'),
  }));
}

export function undoQuestion(plan: SetupPlan): Question {
  return asked(() => ({
    title: t('Remove Jumpseat’s keys from {shown}?', { shown: plan.shown }),
    text: paragraphs([
      difference(plan.changes),
      fileGoes(plan),
      backupIsGone(plan),
      t('Keys that have other values now are left alone.'),
    ]),
    safe: t('Cancel'),
    action: t('Undo setup'),
  }));
}

/** The same as `cutWords`, in the language that the tray app shows. */
export function cutQuestion(...about: Parameters<typeof cutWords>): CutWords | null {
  return inFrontLanguage(() => cutWords(...about));
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
  return value === '""' ? t('(empty)') : (value ?? '');
}
