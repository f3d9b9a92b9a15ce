import { useStore } from 'zustand';
import { t } from '../../../app/language/translate.ts';
import { agentWords } from '../../../app/words/agents.ts';
import { oneLine } from '../../../app/words/text.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { toast } from '../../state/notices.ts';
import { useServices } from '../../state/services.ts';
import { CustomizationsDialog } from '../customizations/customizations-dialog.tsx';
import { InForceDialog } from '../in-force/in-force-dialog.tsx';
import { agentOf } from '../list/list-rows.ts';
import { AgentContext, useAgentWords, useHeld, useListed, useSessionActions } from '../state/hooks.ts';
import { GoBackDialog } from './go-back.tsx';
import { beingDeleted, type SessionDialog, sessionDialog } from './session-dialog.ts';
import { OutsideDialog, UndoDialog } from './undo-dialog.tsx';

/** What is asked over the sessions now. Once in the view. */
export function SessionDialogs() {
  const open = useStore(sessionDialog, (state) => state.open);
  const held = useHeld(open?.session ?? '');
  const listed = useListed(open?.session ?? '');
  return (
    <AgentContext value={agentWords(agentOf({ held, listed }))}>
      <OpenDialog open={open} />
    </AgentContext>
  );
}

function OpenDialog({ open }: { open: SessionDialog | null }) {
  const close = (): void => sessionDialog.setState({ open: null });
  switch (open?.kind) {
    case undefined:
      return null;
    case 'go-back':
      return <GoBackDialog {...open} close={close} />;
    case 'undo':
      return <UndoDialog {...open} close={close} />;
    case 'outside':
      return <OutsideDialog {...open} close={close} />;
    case 'unload':
      return <UnloadDialog {...open} close={close} />;
    case 'in-force':
      return <InForceDialog {...open} close={close} />;
    case 'customizations':
      return <CustomizationsDialog {...open} close={close} />;
    case 'delete':
      return <DeleteDialog {...open} close={close} />;
  }
}

interface DeleteDialogProps {
  session: string;
  title: string;
  isRunning: boolean;
  done: () => void;
  close: () => void;
}

function DeleteDialog({ session, title, isRunning, done, close }: DeleteDialogProps) {
  const { store } = useServices();
  const { remove } = useSessionActions();
  const { name } = useAgentWords();
  const hasFile = useListed(session)?.size != null;
  const run = async (): Promise<void> => {
    close();
    beingDeleted.add(session);
    if (await remove(session)) {
      const name = oneLine(title, 60);
      const words = hasFile
        ? t('“{title}” was deleted. It is in the trash.', { title: name })
        : t('“{title}” was deleted.', { title: name });
      toast(store, words, { kind: 'info' });
      done();
    } else beingDeleted.delete(session);
  };
  return (
    <Dialog
      title={t('Delete “{title}”?', { title })}
      close={close}
      action={{ label: t('Delete session'), danger: true, run: () => void run() }}
    >
      {isRunning && `${t('The turn is stopped.')} `}
      {t(
        'The conversation goes to the trash of this machine, with the versions saved for undo. Files that {agent} changed stay as they are. Its requests stay in the log.',
        { agent: name },
      )}
    </Dialog>
  );
}

/** A turn runs. */
function UnloadDialog({ session, close }: { session: string; close: () => void }) {
  const { stop, unload } = useSessionActions();
  const run = async (): Promise<void> => {
    close();
    if (await stop(session)) await unload(session);
  };
  return (
    <Dialog
      title={t('Stop and unload this session?')}
      close={close}
      action={{ label: t('Stop and unload'), danger: true, run: () => void run() }}
    >
      {t('The turn is cut off. You can go on from there later.')}
    </Dialog>
  );
}
