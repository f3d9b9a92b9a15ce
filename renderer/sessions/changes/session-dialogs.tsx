import { useStore } from 'zustand';
import { agentWords } from '../../../app/words/agents.ts';
import { InForceDialog } from '../in-force/in-force-dialog.tsx';
import { agentOf } from '../list/list-rows.ts';
import { AgentContext, useHeld, useListed } from '../state/hooks.ts';
import { DeleteDialog } from './delete-dialog.tsx';
import { GoBackDialog } from './go-back-dialog.tsx';
import { type SessionDialog, sessionDialog } from './session-dialog.ts';
import { OutsideDialog, UndoDialog } from './undo-dialog.tsx';
import { UnloadDialog } from './unload-dialog.tsx';

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
    case 'delete':
      return <DeleteDialog {...open} close={close} />;
  }
}
