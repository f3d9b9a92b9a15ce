import { Dialog } from '../../parts/dialog.tsx';
import { useAgentWords, useSessionActions } from '../state/hooks.ts';

export interface DeleteDialogProps {
  session: string;
  title: string;
  isRunning: boolean;
  done: () => void;
  close: () => void;
}

export function DeleteDialog({ session, title, isRunning, done, close }: DeleteDialogProps) {
  const { remove } = useSessionActions();
  const { name } = useAgentWords();
  const run = async (): Promise<void> => {
    close();
    if (await remove(session)) done();
  };
  return (
    <Dialog
      title={`Delete “${title}”?`}
      close={close}
      action={{ label: 'Delete session', danger: true, run: () => void run() }}
    >
      {isRunning && 'The turn is stopped. '}
      The conversation goes to the trash of this machine, with the versions kept for undo. Files that {name} changed
      stay as they are. Its requests stay in the log.
    </Dialog>
  );
}
