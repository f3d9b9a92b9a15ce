import { counted } from '../../../app/words/numbers.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { toast } from '../../state/notices.ts';
import { useServices } from '../../state/services.ts';
import { shownPath } from '../questions/path-words.ts';
import { useHeld } from '../state/hooks.ts';
import { canUndo } from './change-rows.ts';
import { useChanges } from './use-changes.ts';

/** Takes the edits of a turn, or of the whole session, back: file by file, as far as nothing else wrote them since. */
export function UndoDialog({ session, turn, close }: { session: string; turn: string | null; close: () => void }) {
  const { store } = useServices();
  const { rows, put } = useChanges(session, turn);
  const cwd = useHeld(session)?.cwd ?? '';
  if (rows === null) return null;
  const files = rows.filter(canUndo);
  const left = rows.filter((row) => !canUndo(row) && row.state !== 'undone');
  const run = async (): Promise<void> => {
    close();
    const results = await put(
      'undo',
      files.map(({ file }) => file.path),
    );
    const done = results.filter(({ isDone }) => isDone).map(({ path }) => path);
    const failed = results.filter(({ isDone }) => !isDone).map(({ path }) => shownPath(path, cwd));
    if (done.length > 0) {
      const redo = { label: 'Redo', run: () => void put('redo', done) };
      toast(store, `Undid ${counted(done.length, 'file')}.`, { action: redo });
    }
    if (failed.length > 0) {
      const why =
        failed.length === 1
          ? 'It has changed since, or can’t be written'
          : 'They have changed since, or can’t be written';
      toast(store, `${failed.join(', ')} ${failed.length === 1 ? 'was' : 'were'} left alone. ${why}.`, {
        kind: 'failed',
      });
    }
  };
  const label = `Undo ${counted(files.length, 'file')}`;
  return (
    <Dialog
      title={files.length === 0 ? 'There is nothing to undo' : `Undo the edits to ${counted(files.length, 'file')}?`}
      close={close}
      action={files.length === 0 ? null : { label, run: () => void run() }}
    >
      <ul className="dialog-files mono">
        {files.map(({ file }) => (
          <li key={file.path}>{shownPath(file.path, cwd)}</li>
        ))}
      </ul>
      {left.map(({ file, state }) => (
        <p key={file.path}>
          <span className="mono">{shownPath(file.path, cwd)}</span>{' '}
          {state === 'changed-since' ? 'has changed since and is left alone.' : 'is left alone.'}
        </p>
      ))}
      <p>What commands changed stays.</p>
    </Dialog>
  );
}
