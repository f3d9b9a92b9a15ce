import { Dialog } from '../../parts/dialog.tsx';
import { useAgentWords } from '../state/agent-context.ts';
import { useSessionActions } from '../state/hooks.ts';

/** Asked each time. In a browser it isn't offered. */
export function NeverAskDialog({ session, close }: { session: string; close: () => void }) {
  const { neverAsk } = useSessionActions();
  const { name } = useAgentWords();
  if (neverAsk === null) return null;
  const run = (): void => {
    close();
    void neverAsk(session);
  };
  return (
    <Dialog
      title={`Let ${name} do anything without asking?`}
      close={close}
      action={{ label: 'Never ask in this session', danger: true, run }}
    >
      <p>
        In this session {name} can delete files, run any command as you and send what it reads anywhere. You see it only
        afterwards, and commands can’t be undone here.
      </p>
      <p>
        Text in a file or on a web page can make {name} do things you never asked for. Use this only in a container or
        on a machine you can lose.
      </p>
      <p className="muted">It ends with the session, and when Jumpseat restarts.</p>
    </Dialog>
  );
}
