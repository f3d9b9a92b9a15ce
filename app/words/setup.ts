import type { SetupPlan } from '../api/setup.ts';

type Change = SetupPlan['changes'][number];
type Note = SetupPlan['notes'][number];

/** What becomes of one key, a line for each value that goes, comes or stays. */
export function changedValues({
  kind,
  before,
  after,
}: Change): { look: 'added' | 'removed' | 'same'; value: string | null }[] {
  switch (kind) {
    case 'add':
      return [{ look: 'added', value: after }];
    case 'replace':
    case 'restore':
      return [
        { look: 'removed', value: before },
        { look: 'added', value: after },
      ];
    case 'remove':
      return [{ look: 'removed', value: before }];
    case 'same':
    case 'left':
      return [{ look: 'same', value: before }];
  }
}

/** A value as it stands in the file. What stands beside the variables may be no text. */
export function writtenValue({ place }: Pick<Change, 'place'>, value: string | null): string {
  return place === 'beside' || value?.startsWith('"') ? String(value) : `"${value ?? ''}"`;
}

/** What a person should know before WebFetch stops asking a service. */
export const skipWebFetchPreflightWords = {
  choice: 'Let WebFetch load pages without asking Anthropic first',
  meaning:
    'Before Claude Code loads a page, it asks api.anthropic.com about the domain, and loads nothing if that is ' +
    'blocked. With this key it asks nobody, and Anthropic’s list of harmful domains no longer protects you.',
};

/** Keys that an undo leaves alone, because they no longer hold our values. */
export function leftKeys({ changes }: Pick<SetupPlan, 'changes'>): string[] {
  return changes.filter(({ kind }) => kind === 'left').map(({ name }) => name);
}

export function noteOf({ notes }: Pick<SetupPlan, 'notes'>, kind: Note['kind']): string | null {
  return notes.find((note) => note.kind === kind)?.text ?? null;
}

/** The notes of these kinds, in the order of the plan. */
export function notesOf({ notes }: Pick<SetupPlan, 'notes'>, ...kinds: Note['kind'][]): string[] {
  return notes.filter(({ kind }) => kinds.includes(kind)).map(({ text }) => text);
}

/** What is read in a window before a person agrees. */
export function notesToAgreeTo(plan: Pick<SetupPlan, 'notes'>): string[] {
  return notesOf(plan, 'open', 'models', 'shell');
}

export const takesEffect = 'It takes effect when you start claude.';
export const setupDone = `Claude Code set up. ${takesEffect}`;
/** A button that sets how long conversations are kept. */
export const keepForAYearWords = {
  title: 'Keep conversations for a year?',
  done: `Claude Code keeps conversations for a year. ${takesEffect}`,
  meaning: ({ isSetUp }: Pick<SetupPlan, 'isSetUp'>) =>
    'Claude Code then deletes a conversation 365 days after its last message, instead of 30 (cleanupPeriodDays).' +
    (isSetUp ? '' : ' This sets Claude Code up for Jumpseat, too.') +
    ' “Undo setup…” in Settings takes it back with the other keys.',
};
export const undoDone = `Claude Code setup undone. ${takesEffect}`;

/** Verb for the heading of a set-up: it creates the file, or changes it. */
export const changeVerb = ({ createsFile }: Pick<SetupPlan, 'createsFile'>) => (createsFile ? 'Create' : 'Change');

export function backupIsSaved({ backupFolder }: Pick<SetupPlan, 'backupFolder'>): string | null {
  return backupFolder === null ? null : `Before that, a backup is saved in ${backupFolder}.`;
}

export function fileGoes({ removesFile }: Pick<SetupPlan, 'removesFile'>): string | null {
  return removesFile ? 'The file holds nothing else and was made by the setup, so it goes too.' : null;
}

export function backupIsGone({ lost }: Pick<SetupPlan, 'lost'>): string | null {
  return lost.length === 0 ? null : `The earlier values of ${lost.join(', ')} can’t be put back: their backup is gone.`;
}
