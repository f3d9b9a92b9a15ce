import { Dialog } from '../../parts/dialog.tsx';
import { useSessionActions } from '../state/hooks.ts';

/** A turn runs. */
export function UnloadDialog({ session, close }: { session: string; close: () => void }) {
  const { stop, unload } = useSessionActions();
  const run = async (): Promise<void> => {
    close();
    if (await stop(session)) await unload(session);
  };
  return (
    <Dialog
      title="Stop and unload this session?"
      close={close}
      action={{ label: 'Stop and unload', danger: true, run: () => void run() }}
    >
      The turn is cut off. You can go on from there later.
    </Dialog>
  );
}
