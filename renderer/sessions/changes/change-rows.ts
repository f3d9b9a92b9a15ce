import type { Problem } from '../../../app/api/call.ts';
import type { ChangedFile, FileNow, PutBack } from '../../../app/api/sessions.ts';
import { sentences } from '../../../app/language/sentences.ts';
import { richParts, t } from '../../../app/language/translate.ts';
import type { Block, Conversation, Turn } from '../state/conversation.ts';

/**
 * `changed-since`: something else wrote it after the edits, or between them. `put-back`: something else has undone
 * them. `gone`: something took the file away. `failed`: it couldn't be undone. `not-kept`: the version from before
 * isn't there, or the file is no text now.
 */
type RowState =
  | 'new'
  | 'accepted'
  | 'undone'
  | 'writing'
  | 'changed-since'
  | 'put-back'
  | 'gone'
  | 'failed'
  | 'not-kept';

/** Why the last try to undo a file, or to redo it, failed. */
export interface Refusal extends PutBack {
  direction: 'undo' | 'redo';
}

export interface ChangeRow {
  file: ChangedFile;
  state: RowState;
  /** Why the last try of what the row offers now failed; null if it worked, or none was made. */
  refused: Refusal | null;
  /** Something else changed it between its edits, not after the last of them. */
  isBetween: boolean;
  /** When it was last written; null if unknown. */
  modifiedAt: number | null;
  /** True if it is in none of the session's folders: the person is asked before it is written. */
  isOutside: boolean;
  /** Why the file there now is never written; null if it may be. */
  unreadable: Problem | null;
  /** False: its versions are git's, and nothing is undone here. */
  canPutBack: boolean;
}

/** What can be said of each file now. */
export function changeRows(
  files: readonly ChangedFile[],
  more: {
    writing: ReadonlySet<string>;
    refused: ReadonlyMap<string, Refusal>;
    now: ReadonlyMap<string, FileNow>;
  },
): ChangeRow[] {
  return files.map((file) => {
    const offered = file.state === 'undone' ? 'redo' : 'undo';
    const last = more.refused.get(file.path) ?? null;
    const now = more.now.get(file.path) ?? null;
    // Somebody put back by hand what would have been lost, or undid the edits.
    const isOver =
      (last?.problem?.code === 'changed-since' && now?.now === 'as-left') || last?.problem?.code === 'put-back';
    const refused = last?.direction === offered && !isOver ? last : null;
    const state = more.writing.has(file.path) ? 'writing' : stateOf(file, refused, now);
    const { modifiedAt = null, isOutside = false, problem: unreadable = null } = now ?? {};
    const isBetween = (refused?.problem?.code ?? now?.now) === 'changed-between';
    return { file, state, refused, isBetween, modifiedAt, isOutside, unreadable, canPutBack: true };
  });
}

function stateOf({ state, patch }: ChangedFile, refused: Refusal | null, now: FileNow | null): RowState {
  if (patch === null || now?.now === 'unreadable') return 'not-kept';
  if (state === 'undone') return 'undone';
  if (now?.now === 'as-before') return 'put-back';
  if (refused !== null) return isChanged(refused) ? 'changed-since' : 'failed';
  if (now?.now === 'gone') return 'gone';
  if (now?.now === 'changed' || now?.now === 'changed-between') return 'changed-since';
  return state === 'accepted' ? 'accepted' : 'new';
}

/** Something else changed the file, after its edits or between them. */
export function isChanged({ problem }: Refusal): boolean {
  return problem?.code === 'changed-since' || problem?.code === 'changed-between';
}

/** Whether `Undo` may be offered. */
export function canUndo({ state, canPutBack }: Pick<ChangeRow, 'state' | 'canPutBack'>): boolean {
  return canPutBack && (state === 'new' || state === 'accepted' || state === 'failed');
}

/** Whether `Accept` may be offered: also of a file that something else wrote since. */
export function canAccept({ state, file }: ChangeRow): boolean {
  return state === 'new' || (state === 'changed-since' && file.state !== 'accepted');
}

/** Files that a step writes now; undoing them would meet it. */
export function filesBeingWritten({ turns }: Pick<Conversation, 'turns'>): Set<string> {
  const found = new Set<string>();
  const turn = turns.at(-1);
  if (turn?.state === 'running') collect(turn.blocks, 'running', found);
  return found;
}

/** Files that steps wrote. */
export function filesWritten({ turns }: Pick<Conversation, 'turns'>): Set<string> {
  const found = new Set<string>();
  for (const { blocks } of turns) collect(blocks, 'done', found);
  return found;
}

const writes = new Set(['write', 'edit', 'notebook']);

function collect(blocks: readonly Block[], state: 'running' | 'done', found: Set<string>): void {
  for (const block of blocks) {
    if (block.kind !== 'step') continue;
    if (block.state === state && writes.has(block.stepKind)) {
      for (const { path } of block.locations) found.add(path);
    }
    if (block.lane !== null) collect(block.lane.blocks, state, found);
  }
}

/** `deliver.ts` and `src/webhooks`. */
export function nameAndFolder(shownPath: string): { name: string; folder: string } {
  const at = Math.max(shownPath.lastIndexOf('/'), shownPath.lastIndexOf('\\'));
  return { name: shownPath.slice(at + 1), folder: shownPath.slice(0, Math.max(0, at)) };
}

/** The edits are in the file now: they were not undone, and the file wasn't deleted since. */
function isThere({ state }: ChangeRow): boolean {
  return state !== 'undone' && state !== 'gone' && state !== 'put-back';
}

/** Sums of what is changed in the files now. */
export function sumOf(rows: readonly ChangeRow[]): { files: number; added: number; removed: number } {
  const changed = rows.filter(isThere);
  const sum = (of: 'added' | 'removed'): number => changed.reduce((all, { file }) => all + file[of], 0);
  return { files: changed.length, added: sum('added'), removed: sum('removed') };
}

/** What became of edits none of which is in the files now: `3 files undone`, `1 file deleted since`. */
export function noneLeftWords(rows: readonly ChangeRow[]): string {
  const fates = new Set(rows.map(({ state }) => state));
  const files = rows.length;
  if (fates.size > 1) return t('{files, plural, one {# file} other {# files}} undone or deleted since', { files });
  return fates.has('gone')
    ? t('{files, plural, one {# file} other {# files}} deleted since', { files })
    : t('{files, plural, one {# file} other {# files}} undone', { files });
}

/** All that is in the files now as one patch, as `git apply` takes it. */
export function wholePatch(rows: readonly ChangeRow[]): string {
  return rows.flatMap((row) => (row.file.patch !== null && isThere(row) ? [row.file.patch] : [])).join('');
}

/**
 * `1 file of 5 can’t be undone.`, and `2 files of 5 changed since.`, which their rows offer to undo beside the other
 * change where that is possible; null if all can be undone.
 */
export function cannotWords(rows: readonly ChangeRow[]): string | null {
  const all = rows.length;
  const changed = rows.filter(({ state }) => state === 'changed-since').length;
  const stuck = rows.filter(({ state }) => state === 'gone' || state === 'not-kept').length;
  const words = sentences(
    changed === 0
      ? ''
      : t('{files, plural, one {# file} other {# files}} of {all} changed since.', { files: changed, all }),
    stuck === 0
      ? ''
      : t('{files, plural, one {# file} other {# files}} of {all} can’t be undone.', { files: stuck, all }),
  );
  return words === '' ? null : words;
}

/** Why files were left alone that were to be put back, a sentence for each; empty: none was. */
export function leftAloneWords(results: readonly PutBack[]): string {
  return sentences(...results.flatMap(({ isDone, problem }) => (isDone || problem === null ? [] : [problem.text])));
}

/** Why a file can't be undone. `days`: for how many versions are kept; null if unknown. */
export function notKeptWords({ file, unreadable, canPutBack }: ChangeRow, days: number | null): string {
  if (!canPutBack) return t('It is no text, or too large to be shown.');
  if (unreadable !== null) return `${unreadable.text} ${unreadable.remedy}`;
  if (file.state === 'untracked')
    return file.byCommand ? t('It is no text, a link, or over 1 MB.') : t('It was over 5 MB.');
  return days === null
    ? t('Its versions are no longer saved.')
    : t('It is older than {days, plural, one {# day} other {# days}}.', { days });
}

/** What becomes of a file that will be left alone, and why. @param path as it is shown in that sentence */
export function stuckWords<Path = never>(row: ChangeRow, path: string | Path): (string | Path)[] {
  if (row.state === 'changed-since') return richParts<Path>('{path} has changed since and stays as it is.', { path });
  if (row.state === 'gone') return richParts<Path>('{path} was deleted since and stays so.', { path });
  if (row.state === 'put-back') return richParts<Path>('{path} is as it was before.', { path });
  if (row.state === 'writing') return richParts<Path>('{path} is being written and stays as it is.', { path });
  const why = row.unreadable?.text ?? notKeptWords(row, null);
  return richParts<Path>('{path} can’t be undone. {why}', { path, why });
}

/** A turn and those after it; none, where it isn't among those that were read. */
export function turnsSince(turns: readonly Pick<Turn, 'id'>[], turn: string): string[] {
  const ids = turns.map(({ id }) => id);
  return ids.includes(turn) ? ids.slice(ids.indexOf(turn)) : [];
}
