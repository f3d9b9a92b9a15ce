import classNames from 'classnames/bind';
import { createElement, Fragment, type ReactElement, useState } from 'react';
import type { ChangedFile, PutBack } from '../../../app/api/sessions.ts';
import { msg } from '../../../app/language/messages.ts';
import { t, translated } from '../../../app/language/translate.ts';
import { oneLine } from '../../../app/words/text.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { rich } from '../../parts/rich.tsx';
import { toast } from '../../state/notices.ts';
import { useServices } from '../../state/services.ts';
import { shownPath } from '../paths.ts';
import styles from '../session-dialogs.module.css';
import type { Turn } from '../state/conversation.ts';
import { textOf } from '../state/fields.ts';
import { useConversation, useHeld } from '../state/hooks.ts';
import { canUndo, leftAloneWords, stuckWords } from './change-rows.ts';
import { useChanges } from './use-changes.ts';

const css = classNames.bind(styles);

/** Takes the edits of a turn, or of the whole session, back: file by file, as far as nothing else wrote them since. */
export function UndoDialog({ session, turn, close }: { session: string; turn: string | null; close: () => void }) {
  const { store } = useServices();
  const { rows, commands, put } = useChanges(session, turn);
  const cwd = useHeld(session)?.cwd ?? '';
  const [withOutside, setWithOutside] = useState(false);
  const prompt = useConversation(session, ({ turns }) => firstWords(turns.find(({ id }) => id === turn)));
  if (rows === null) return null;
  const ofWhat =
    turn === null
      ? t('All turns of this session.')
      : prompt === null
        ? t('This turn.')
        : t('The turn of the prompt “{prompt}”.', { prompt });
  const undoable = rows.filter(canUndo);
  const outside = undoable.filter(({ isOutside }) => isOutside).map(({ file }) => file);
  const inside = undoable.filter(({ isOutside }) => !isOutside).map(({ file }) => file);
  const files = (withOutside ? [...inside, ...outside] : inside).map(({ path }) => path);
  const left = rows.filter((row) => !canUndo(row) && row.state !== 'undone');
  const sayLeftAlone = (results: readonly PutBack[]): void => {
    const alone = leftAloneWords(results);
    if (alone !== '') toast(store, alone, { kind: 'failed' });
  };
  const run = async (): Promise<void> => {
    close();
    const agreed = withOutside ? { outside: outside.map(({ path }) => path) } : undefined;
    const results = await put('undo', files, agreed);
    const done = results.filter(({ isDone }) => isDone).map(({ path }) => path);
    if (done.length > 0) {
      const redo = { label: t('Redo'), run: () => void put('redo', done, agreed).then(sayLeftAlone) };
      toast(store, t('Undid {files, plural, one {# file} other {# files}}.', { files: done.length }), { action: redo });
    }
    sayLeftAlone(results);
  };
  const danger = undoable.some(({ file }) => file.isNew && files.includes(file.path));
  const label =
    files.length === 0 ? t('Undo') : t('Undo {files, plural, one {# file} other {# files}}', { files: files.length });
  return (
    <Dialog
      title={titleOf()}
      close={close}
      action={undoable.length === 0 ? null : { label, run: () => void run(), danger, disabled: files.length === 0 }}
    >
      {undoable.length > 0 && <p className="muted">{ofWhat}</p>}
      <FileNames files={inside} cwd={cwd} />
      <OutsideChoice files={outside} isAlone={inside.length === 0} isChosen={withOutside} choose={setWithOutside} />
      {left.map((row) => (
        <p key={row.file.path}>
          {createElement(
            Fragment,
            null,
            ...stuckWords(row, <span className="mono">{shownPath(row.file.path, cwd)}</span>),
          )}
        </p>
      ))}
      {commands.untracked > 0 && <p>{translated(unlistedStay)}</p>}
    </Dialog>
  );

  /** Counts the same files as the button: outside files count once they are ticked. */
  function titleOf(): string {
    if (undoable.length === 0) return t('There is nothing to undo');
    return files.length === 0
      ? t('Undo the edits?')
      : t('Undo the edits to {files, plural, one {# file} other {# files}}?', { files: files.length });
  }
}

/** The beginning of what was said to the agent; null if there are no words. */
function firstWords(turn: Turn | undefined): string | null {
  const said = turn?.prompt?.map((block) => textOf(block, 'text') ?? '').join(' ') ?? '';
  return said.trim() === '' ? null : oneLine(said, 80);
}

/** Where not all that commands changed is listed. */
export const unlistedStay = msg('Changes by commands that aren’t listed stay as they are.');

/** Files that an undo will write, and which of them it will delete. */
export function FileNames({ files, cwd }: { files: readonly ChangedFile[]; cwd: string }) {
  return (
    <ul className={css('dialog-files', 'mono')}>
      {files.map((file) => (
        <li key={file.path}>
          {shownPath(file.path, cwd)} <Deleted file={file} />
        </li>
      ))}
    </ul>
  );
}

/** A file that the session made will be gone after undoing that. */
function Deleted({ file }: { file: ChangedFile }) {
  return file.isNew && <span className="minus">{t('will be deleted', {}, 'a file')}</span>;
}

interface OutsideChoiceProps {
  files: readonly ChangedFile[];
  /** There are no others that are put back. */
  isAlone: boolean;
  isChosen: boolean;
  choose: (isChosen: boolean) => void;
}

/** Whether files in none of the session's folders are put back, too: each with its whole path. */
export function OutsideChoice({ files, isAlone, isChosen, choose }: OutsideChoiceProps) {
  if (files.length === 0) return null;
  return (
    <label className={css('dialog-choice')}>
      <input type="checkbox" checked={isChosen} onChange={(event) => choose(event.target.checked)} />
      <span>
        {isAlone
          ? t('Undo the edits to {files, plural, one {# file} other {# files}} outside of the session’s folders', {
              files: files.length,
            })
          : t(
              'Undo the edits to {files, plural, one {# file} other {# files}} outside of the session’s folders as well',
              {
                files: files.length,
              },
            )}
        {files.map((file) => (
          <span key={file.path} className="muted mono">
            {file.path} <Deleted file={file} />
          </span>
        ))}
      </span>
    </label>
  );
}

interface OutsideDialogProps {
  path: string;
  label: string;
  /** The file is gone after it. */
  deletes: boolean;
  run: () => void;
  close: () => void;
}

/** Asked before a file outside the session's folders is written. */
export function OutsideDialog({ path, label, deletes, run, close }: OutsideDialogProps) {
  const confirmed = (): void => {
    close();
    run();
  };
  const mono = (inside: ReactElement) => <span className="mono">{inside}</span>;
  return (
    <Dialog
      title={deletes ? t('Delete outside of the session’s folders?') : t('Write outside of the session’s folders?')}
      close={close}
      action={{ label, run: confirmed, danger: deletes }}
    >
      <p>
        {deletes
          ? rich('This deletes <mono>{path}</mono>, which is in none of the session’s folders.', { path, mono })
          : rich('This changes <mono>{path}</mono>, which is in none of the session’s folders.', { path, mono })}
      </p>
    </Dialog>
  );
}
