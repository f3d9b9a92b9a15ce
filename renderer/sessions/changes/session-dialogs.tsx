import { useStore } from 'zustand';
import { InForceDialog } from '../in-force/in-force-dialog.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { GoBackDialog } from './go-back-dialog.tsx';
import { sessionDialog } from './session-dialog.ts';
import { UndoDialog } from './undo-dialog.tsx';
import { UnloadDialog } from './unload-dialog.tsx';

/** What is asked over the sessions now. Once in the view. */
export function SessionDialogs() {
  const open = useStore(sessionDialog, (state) => state.open);
  const close = (): void => sessionDialog.setState({ open: null });
  switch (open?.kind) {
    case undefined:
      return null;
    case 'go-back':
      return <GoBackDialog {...open} close={close} />;
    case 'undo':
      return <UndoDialog {...open} close={close} />;
    case 'unload':
      return <UnloadDialog {...open} close={close} />;
    case 'in-force':
      return <InForceDialog {...open} close={close} />;
    case 'delete':
      return <DeleteDialog {...open} close={close} />;
  }
}
