import { useEffect, useState } from 'react';
import { counted } from '../../../app/words/numbers.ts';
import { clockTime } from '../../../app/words/times.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { toast } from '../../state/notices.ts';
import { useServices } from '../../state/services.ts';
import { shownPath } from '../questions/path-words.ts';
import { useConversation, useHeld, useSessionActions } from '../state/hooks.ts';
import { leftAloneWords, turnsSince } from './change-rows.ts';
import type { WayBack } from './session-dialog.ts';

export interface GoBackDialogProps {
  session: string;
  turn: string;
  at: number | null;
  done: (back: WayBack) => void;
  close: () => void;
}

/** Cuts a session off before a prompt, with or without the edits that came after it. */
export function GoBackDialog({ session, turn, at, done, close }: GoBackDialogProps) {
  const { store } = useServices();
  const { goBack } = useSessionActions();
  const held = useHeld(session);
  const { files, left } = useFilesSince(session, turn);
  const [withFiles, setWithFiles] = useState(true);
  if (held !== null && held.turnId !== null) {
    return (
      <Dialog title="Stop first" cancel="Close" close={close} action={null}>
        A turn of this session runs. Stop it, then go back.
      </Dialog>
    );
  }
  const run = async (): Promise<void> => {
    close();
    const back = await goBack(session, turn, withFiles && files.length > 0);
    if (back === null) return;
    const alone = back.files.filter(({ isDone }) => !isDone).map(({ path }) => shownPath(path, held?.cwd ?? ''));
    if (alone.length > 0) toast(store, leftAloneWords(alone), { kind: 'told' });
    done(back);
  };
  const when = at === null ? 'The prompt' : `The prompt from ${clockTime(at)}`;
  return (
    <Dialog title="Go back to before this prompt?" close={close} action={{ label: 'Go back', run: () => void run() }}>
      <p>
        {when} and what followed leave this session, and its text comes back into the message field. A copy of the
        session as it is now stays in the list.
      </p>
      {files.length > 0 && (
        <label className="dialog-choice">
          <input type="checkbox" checked={withFiles} onChange={(event) => setWithFiles(event.target.checked)} />
          <span>
            Undo the edits to {counted(files.length, 'file')} as well
            <span className="muted">
              {left.length > 0 && `${leftAloneWords(left.map((path) => shownPath(path, held?.cwd ?? '')))} `}
              What commands changed stays.
            </span>
          </span>
        </label>
      )}
    </Dialog>
  );
}

const noFiles: { files: readonly string[]; left: readonly string[] } = { files: [], left: [] };

/** What this turn and those after it changed: files that can be put back, and those that changed since. */
function useFilesSince(session: string, turn: string) {
  const { changes, filesNow } = useSessionActions();
  const conversation = useConversation(session);
  const [files, setFiles] = useState(noFiles);
  const since = turnsSince(conversation?.turns ?? [], turn);
  const wanted = since.join(' ');
  useEffect(() => {
    if (wanted === '') return;
    let isOld = false;
    const reads = Promise.all(wanted.split(' ').map((id) => changes(session, id)));
    void Promise.all([reads, filesNow(session, null)]).then(([read, now]) => {
      if (isOld) return;
      const changed = new Set(now?.filter((file) => file.now !== 'as-left').map(({ path }) => path));
      const kept = read
        .flatMap((one) => one?.files ?? [])
        .filter(({ patch, state }) => patch !== null && state !== 'undone')
        .map(({ path }) => path);
      const all = [...new Set(kept)];
      setFiles({ files: all.filter((path) => !changed.has(path)), left: all.filter((path) => changed.has(path)) });
    });
    return () => {
      isOld = true;
    };
  }, [changes, filesNow, session, wanted]);
  return files;
}
