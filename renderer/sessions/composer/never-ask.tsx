import { type ReactNode, useState } from 'react';
import { useSessionActions } from '../state/hooks.ts';
import { NeverAskDialog } from './never-ask-dialog.tsx';

/** Asks each time before nothing is asked any more. `ask` is null where this window may not choose it. */
export function useNeverAsk(session: string): { ask: (() => void) | null; dialog: ReactNode } {
  const { neverAsk } = useSessionActions();
  const [isAsked, setAsked] = useState(false);
  return {
    ask: neverAsk === null ? null : () => setAsked(true),
    dialog: isAsked && <NeverAskDialog session={session} close={() => setAsked(false)} />,
  };
}
