import classNames from 'classnames/bind';
import { useEffect, useState } from 'react';
import type { Session } from '../../../app/api/sessions.ts';
import { t, translated } from '../../../app/language/translate.ts';
import { clockTime } from '../../../app/words/times.ts';
import { LinkButton } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { GoBack } from '../../parts/icons.tsx';
import { toast } from '../../state/notices.ts';
import { useServices } from '../../state/services.ts';
import composer from '../composer/composer.module.css';
import { toComposer } from '../composer/open-session.ts';
import { takeOut } from '../composer/use-draft.ts';
import { shownPath } from '../paths.ts';
import styles from '../session-dialogs.module.css';
import { useConversation, useHeld, useSessionActions } from '../state/hooks.ts';
import { type ChangeRow, canUndo, changeRows, leftAloneWords, stuckWords, turnsSince } from './change-rows.ts';
import type { Rewind } from './session-dialog.ts';
import { FileNames, OutsideChoice, unlistedStay } from './undo-dialog.tsx';

const css = classNames.bind({ ...composer, ...styles });

interface GoBackDialogProps {
  session: string;
  turn: string;
  at: number | null;
  done: (back: Rewind) => void;
  close: () => void;
}

/** Cuts a session off before a prompt, with or without the edits that came after it. */
export function GoBackDialog({ session, turn, at, done, close }: GoBackDialogProps) {
  const { store } = useServices();
  const { goBack } = useSessionActions();
  const held = useHeld(session);
  const rows = useFilesSince(session, turn);
  const inside = rows.filter((row) => canUndo(row) && !row.isOutside).map(({ file }) => file);
  const outside = rows.filter((row) => canUndo(row) && row.isOutside).map(({ file }) => file);
  const left = rows.filter((row) => !canUndo(row));
  const [withInside, setWithInside] = useState(true);
  const [withOutside, setWithOutside] = useState(false);
  const mayChooseOutside = outside.length > 0 && (inside.length === 0 || withInside);
  if (held !== null && held.turnId !== null) {
    return (
      <Dialog title={t('Stop first')} close={close} action={null}>
        {t('A turn of this session runs. Stop it, then go back.')}
      </Dialog>
    );
  }
  const run = async (): Promise<void> => {
    close();
    const agreed = mayChooseOutside && withOutside ? { outside: outside.map(({ path }) => path) } : undefined;
    const withFiles = (inside.length > 0 && withInside) || agreed !== undefined;
    const back = await goBack({ session, turn, withFiles, ...agreed });
    if (back === null) return;
    // Who did not want those outside knows that they stay.
    const alone = leftAloneWords(back.files.filter(({ problem }) => problem?.code !== 'outside'));
    if (alone !== '') toast(store, t('Edits that stay: {why}', { why: alone }), { kind: 'info' });
    done(back);
  };
  return (
    <Dialog
      title={t('Go back to before this prompt?')}
      close={close}
      action={{ label: t('Go back'), run: () => void run() }}
    >
      <p>
        {at === null
          ? t(
              'The prompt and what followed leave this session, and its text comes back into the message field. A copy of the session as it is now stays in the list.',
            )
          : t(
              'The prompt from {time} and what followed leave this session, and its text comes back into the message field. A copy of the session as it is now stays in the list.',
              { time: clockTime(at) },
            )}
      </p>
      {inside.length > 0 && (
        <>
          <label className={css('dialog-choice')}>
            <input type="checkbox" checked={withInside} onChange={(event) => setWithInside(event.target.checked)} />
            <span>
              {t('Undo the edits to {files, plural, one {# file} other {# files}} as well', { files: inside.length })}
            </span>
          </label>
          <FileNames files={inside} cwd={held?.cwd ?? ''} />
        </>
      )}
      {mayChooseOutside && (
        <OutsideChoice files={outside} isAlone={inside.length === 0} isChosen={withOutside} choose={setWithOutside} />
      )}
      {rows.length > 0 && (
        <p className="muted">
          {left.map((row) => `${stuckWords(row, shownPath(row.file.path, held?.cwd ?? '')).join('')} `)}
          {translated(unlistedStay)}
        </p>
      )}
    </Dialog>
  );
}

const noRows: readonly ChangeRow[] = [];

/** What this turn and those after it changed in files and was not undone, a row for each file. */
function useFilesSince(session: string, turn: string): readonly ChangeRow[] {
  const { changes, filesNow } = useSessionActions();
  const [rows, setRows] = useState(noRows);
  const wanted = useConversation(session, ({ turns }) => turnsSince(turns, turn).join(' ')) ?? '';
  useEffect(() => {
    if (wanted === '') return;
    let isOld = false;
    const reads = Promise.all(wanted.split(' ').map((id) => changes(session, id)));
    void Promise.all([reads, filesNow(session, null)]).then(([read, found]) => {
      if (isOld) return;
      const files = read.flatMap((one) => one?.files ?? []).filter(({ state }) => state !== 'undone');
      const now = new Map(found?.map((file) => [file.path, file]));
      const each = [...new Map(files.map((file) => [file.path, file])).values()];
      setRows(changeRows(each, { writing: new Set(), refused: new Map(), now }));
    });
    return () => {
      isOld = true;
    };
  }, [changes, filesNow, session, wanted]);
  return rows;
}

/** Way back to the state before going back, until the session's next message. */
export function BackLine({ session: { id, cwd, cutTurns } }: { session: Pick<Session, 'id' | 'cwd' | 'cutTurns'> }) {
  const services = useServices();
  const actions = useSessionActions();
  if (cutTurns === 0) return null;
  const undo = async (): Promise<void> => {
    const done = await actions.undoGoBack(id);
    if (done === null) return;
    // The line with the button that was pressed goes.
    toComposer();
    takeOut(services, { id, cwd }, done.prompt);
    const left = leftAloneWords(done.files);
    if (left !== '') toast(services.store, left, { kind: 'info' });
  };
  return (
    <p className={css('strip')} role="status" data-testid="went-back">
      <GoBack size={14} />
      <span>{t('You went back {turns, plural, one {# turn} other {# turns}}.', { turns: cutTurns })}</span>
      <LinkButton onClick={() => void undo()}>{t('Undo')}</LinkButton>
    </p>
  );
}
