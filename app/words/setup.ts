import type { Client, ClientPlan, ClientUse, SetupPlan } from '../api/setup.ts';
import { type Message, msg } from '../language/messages.ts';
import { sentences } from '../language/sentences.ts';
import { t } from '../language/translate.ts';

/** What a new terminal needs before Claude Code goes through Jumpseat in it, if its settings don’t see to that. */
export function linesFirst(): string {
  return t('Claude Code isn’t set up for Jumpseat. Paste the lines for Claude Code into the terminal first.');
}

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
function writtenValue({ place }: Pick<Change, 'place'>, value: string | null): string {
  return place === 'beside' || value?.startsWith('"') ? String(value) : `"${value ?? ''}"`;
}

/** The model whose context window a change sets; null if it sets something else. */
export function windowModel({ name }: Pick<Change, 'name'>): string | null {
  return /^modelSettings\.(.+)\.autoCompactWindow$/.exec(name)?.[1] ?? null;
}

/** `"gpt-5.4": { "autoCompactWindow": 292000 }`, as it stands below `modelSettings`. */
export function writtenWindow(change: Change, model: string, value: string | null): string {
  return `"${model}": { "autoCompactWindow": ${writtenValue(change, value)} }`;
}

/** What the windows are for; null if the plan sets none. */
export function windowsMeaning({ action, changes }: Pick<SetupPlan, 'action' | 'changes'>): string | null {
  if (action === 'undo' || changes.every((change) => windowModel(change) === null)) return null;
  return t(
    'autoCompactWindow is how far a conversation may grow on each model before Claude Code compacts it: Copilot’s limit for a prompt, and 20k tokens for the answer.',
  );
}

/** A key with its value, on one line. */
export function writtenKey(change: Change, value: string | null): string {
  const model = windowModel(change);
  if (model === null) return `"${change.name}": ${writtenValue(change, value)}`;
  return `"modelSettings": { ${writtenWindow(change, model, value)} }`;
}

/** What a person should know before WebFetch stops asking a service. */
export const skipWebFetchPreflightWords = {
  choice: msg('Let WebFetch load pages without asking Anthropic first'),
  meaning: msg(
    'Before Claude Code loads a page, it asks api.anthropic.com about the domain, and loads nothing if that is blocked. With this key it asks nobody, and Anthropic’s list of harmful domains no longer protects you.',
  ),
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

export const takesEffect = msg('It takes effect when you start claude.');
export const setupDone = msg('Claude Code set up. It takes effect when you start claude.');
/** A button that sets how long conversations are kept. */
export const keepForAYearWords = {
  title: msg('Keep conversations for a year?'),
  done: msg('Claude Code keeps conversations for a year. It takes effect when you start claude.'),
  meaning: ({ isSetUp }: Pick<SetupPlan, 'isSetUp'>) =>
    sentences(
      t('Claude Code then deletes a conversation 365 days after its last message, instead of 30 (cleanupPeriodDays).'),
      ...(isSetUp ? [] : [t('This sets Claude Code up for Jumpseat, too.')]),
      t('“Undo…” in Health takes that back alone.'),
    ),
  undone: msg('Claude Code keeps conversations as long as before. It takes effect when you start claude.'),
  undoTitle: msg('Keep conversations as before?'),
};
export const keyUndone = msg('Undone. The rest of the setup stays. It takes effect when you start claude.');
export const undoDone = msg('Claude Code setup undone. It takes effect when you start claude.');

/** `Change ~/.claude/settings.json?`; `Create` where there is no such file yet. */
export function changeQuestion({ createsFile, shown }: Pick<SetupPlan, 'createsFile' | 'shown'>): string {
  return createsFile ? t('Create {file}?', { file: shown }) : t('Change {file}?', { file: shown });
}

export function backupIsSaved({ backupFolder }: Pick<SetupPlan, 'backupFolder'>): string | null {
  return backupFolder === null ? null : t('Before that, a backup is saved in {folder}.', { folder: backupFolder });
}

export function fileGoes({ removesFile }: Pick<SetupPlan, 'removesFile'>): string | null {
  return removesFile ? t('The file holds nothing else and was made by the setup, so it goes too.') : null;
}

export function backupIsGone({ lost }: Pick<SetupPlan, 'lost'>): string | null {
  return lost.length === 0
    ? null
    : t('The earlier values of {names} can’t be put back: their backup is gone.', { names: lost.join(', ') });
}

/** What a program has of Jumpseat. */
export const useNames: Readonly<Record<ClientUse, Message>> = {
  models: msg('Models'),
  agent: msg('Agent (ACP)'),
  mcp: msg('Tools (MCP)'),
};

/** `set up by Jumpseat` */
export function stateOfUse({ state, by }: Pick<Client['uses'][number], 'state' | 'by'>): string {
  switch (state) {
    case 'set-up':
      return by === 'hand' ? t('set up by hand') : t('set up by Jumpseat');
    case 'changed':
      return t('changed since it was set up');
    case 'elsewhere':
      return t('set up for another address or key');
    case 'not-set-up':
      return t('not set up');
    case 'unreadable':
      return t('can’t be read');
  }
}

/** What Jumpseat set up and no longer works, as far as can be seen. */
export function brokenSetups(clients: readonly Client[]): { client: Client; use: ClientUse; trouble: string }[] {
  return clients.flatMap((client) =>
    client.uses.flatMap(({ use, by, trouble }) =>
      by === 'jumpseat' && trouble !== null ? [{ client, use, trouble }] : [],
    ),
  );
}

/** The command that sets it up, or again. */
export function setUpCommand({ name, uses }: Pick<Client, 'name' | 'uses'>, use: ClientUse): string {
  return `jumpseat setup ${name}${uses[0]?.use === use ? '' : ` --as ${use}`}`;
}

/** What a preview can't show by its lines. */
export function clientNotes({
  title,
  files,
  profiles,
  managedBy,
}: Pick<ClientPlan, 'title' | 'files' | 'profiles' | 'managedBy'>): string[] {
  const ofFiles = files.flatMap(({ shown, left, isBackupGone, isUnrecorded }) => [
    ...(isUnrecorded
      ? [
          t(
            'Jumpseat has no record of this setup. Entries with its name or address are removed; nobody knows what they replaced.',
          ),
        ]
      : []),
    ...(left.length === 0 ? [] : [leftWords(shown, left, isUnrecorded)]),
    ...(isBackupGone
      ? [t('The copy of {shown} is gone, so what Jumpseat replaced there isn’t put back.', { shown })]
      : []),
  ]);
  return [
    ...ofFiles,
    ...(managedBy === null
      ? []
      : [t('Your organization’s {managedBy} wins over this, so {title} may not use Jumpseat.', { managedBy, title })]),
    ...(profiles.length === 0
      ? []
      : [
          t('These profiles of {title} have settings of their own, which stay as they are: {names}.', {
            title,
            names: profiles.join(', '),
          }),
        ]),
  ];
}

/** `~/.codex/config.toml`; `~/a.json and 2 more` */
export function filesWords([first = '', ...more]: readonly string[]): string {
  return more.length === 0 ? first : t('{first} and {more} more', { first, more: more.length });
}

function leftWords(shown: string, left: readonly string[], isUnrecorded: boolean): string {
  const names = left.join(', ');
  const count = left.length;
  return isUnrecorded
    ? t('{names} in {file} may be yours, and {count, plural, one {stays as it is} other {stay as they are}}.', {
        names,
        file: shown,
        count,
      })
    : t(
        '{names} in {file} {count, plural, one {was changed since, and stays as it is} other {were changed since, and stay as they are}}.',
        { names, file: shown, count },
      );
}

export function fileIsRemoved({ shown }: { shown: string }): string {
  return t('{shown} holds nothing but the setup, so it is removed.', { shown });
}

/** What is said when nothing would change. */
export function nothingChanges({ title, action, files }: Pick<ClientPlan, 'title' | 'action' | 'files'>): string {
  if (action === 'setup')
    return t('{title} is set up already, in {files}.', { title, files: files.map(({ shown }) => shown).join(', ') });
  return files.length === 0
    ? t('Nothing to undo: {title} isn’t set up.', { title })
    : t('Nothing is left to undo for {title}.', { title });
}

export function clientDone({ title, action }: Pick<ClientPlan, 'title' | 'action'>): string {
  return action === 'undo'
    ? t('Jumpseat’s entries are gone from {title}’s settings.', { title })
    : t('{title} is set up.', { title });
}
