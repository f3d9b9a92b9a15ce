import { useEffect, useRef } from 'react';
import { isCommand } from '../parts/command-key.ts';
import { useServices } from '../state/services.ts';
import { isBrowserWindow } from './session-keys.ts';

export interface ViewActions {
  newSession: () => void;
  /** Asks for a session by its name. */
  goTo: () => void;
  /** Null: no session is open. */
  changes: (() => void) | null;
  list: () => void;
  /** The next session that waits for an answer. */
  nextWaiting: () => void;
}

/** The keys of the whole view. A dialog or a menu that is open has its own. */
export function useViewKeys(actions: ViewActions): void {
  const { bridge } = useServices();
  const now = useRef(actions);
  now.current = actions;
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.repeat || event.isComposing) return;
      if (document.querySelector('dialog[open], [popover]:popover-open') !== null) return;
      const act = actionOf(event, now.current, isBrowserWindow(bridge));
      if (act === null) return;
      event.preventDefault();
      act();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [bridge]);
}

function actionOf(event: KeyboardEvent, actions: ViewActions, isBrowser: boolean): (() => void) | null {
  const { code, altKey, ctrlKey, metaKey, shiftKey } = event;
  const key = event.key.toLowerCase();
  // By its place: with Alt a letter is another sign on some systems. AltGr, which writes signs, is Ctrl and Alt.
  const isOwn = isBrowser ? altKey && !ctrlKey && !metaKey : isCommand(event);
  if (isOwn && !shiftKey && (isBrowser ? code === 'KeyN' : key === 'n')) return actions.newSession;
  if (isOwn && !shiftKey && (isBrowser ? code === 'KeyP' : key === 'p')) return actions.goTo;
  if (!isCommand(event)) return null;
  // With Shift a full stop is another sign on most keyboards.
  if (shiftKey) return key === '.' || code === 'Period' ? actions.nextWaiting : null;
  if (key === 'd') return actions.changes;
  return key === 'b' ? actions.list : null;
}
