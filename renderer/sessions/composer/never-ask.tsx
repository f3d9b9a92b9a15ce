import { type ReactNode, useState } from 'react';
import { Dialog } from '../../parts/dialog.tsx';
import { useSessionActions } from '../state/hooks.ts';

/** Asks each time before nothing is asked any more. `ask` is null where this window may not choose it. */
export function useNeverAsk(session: string): { ask: (() => void) | null; dialog: ReactNode } {
  const { neverAsk } = useSessionActions();
  const [isAsked, setAsked] = useState(false);
  if (neverAsk === null) return { ask: null, dialog: null };
  const close = () => setAsked(false);
  return {
    ask: () => setAsked(true),
    dialog: isAsked && (
      <Dialog
        title="Let Claude do anything without asking?"
        close={close}
        action={{
          label: 'Never ask in this session',
          danger: true,
          run: () => {
            close();
            void neverAsk(session);
          },
        }}
      >
        <div className="never-ask">
          <p>
            In this session Claude can delete files, run any command as you and send what it reads anywhere. You see it
            only afterwards, and commands can’t be undone here.
          </p>
          <p>
            Text in a file or on a web page can make Claude do things you never asked for. Use this only in a container
            or on a machine you can lose.
          </p>
          <p className="muted">It ends with the session, and when Jumpseat restarts.</p>
        </div>
      </Dialog>
    ),
  };
}
