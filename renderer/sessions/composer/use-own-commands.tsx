import { type ReactNode, useState } from 'react';
import type { Session } from '../../../app/api/sessions.ts';
import { toast } from '../../state/notices.ts';
import { useServices } from '../../state/services.ts';
import { useSessionActions } from '../state/hooks.ts';
import { useFork } from '../use-fork.ts';
import { openNewSession } from './open-session.ts';
import type { OwnCommand } from './own-commands.ts';
import { CostDialog, RenameDialog } from './own-dialogs.tsx';

export interface OwnCommands {
  run: (command: Exclude<OwnCommand, 'model' | 'permissions'>, rest: string) => void;
  fork: () => Promise<void>;
  dialog: ReactNode;
}

/** What the commands do that Jumpseat answers itself. */
export function useOwnCommands(session: Session): OwnCommands {
  const { store } = useServices();
  const actions = useSessionActions();
  const [shown, setShown] = useState<'cost' | 'rename' | null>(null);
  const close = () => setShown(null);
  const tell = (text: string): void => toast(store, text, { kind: 'told' });

  const { fromEnd } = useFork();
  const fork = (): Promise<void> => fromEnd(session.id);

  return {
    fork,
    run: (command, rest) => {
      if (command === 'clear') openNewSession(session.cwd);
      else if (command === 'fork') void fork();
      else if (command === 'rename' && rest !== '') void actions.rename(session.id, rest.slice(0, 200));
      else if (session.state === 'provisional') tell('Nothing was sent in this session yet.');
      else setShown(command);
    },
    dialog: (
      <>
        {shown === 'cost' && <CostDialog {...{ session, close }} />}
        {shown === 'rename' && <RenameDialog {...{ session, close }} />}
      </>
    ),
  };
}
