import { useEffect, useRef } from 'react';
import { isMac } from '../parts/command-key.ts';
import { isOverlaid } from '../parts/overlaid.ts';
import { isTextField } from '../parts/text-target.ts';
import { useServices, useWindow } from '../state/services.ts';
import { showKeys } from './keys-shown.ts';
import { isBrowserWindow, keyOf, sessionKeys } from './session-keys.ts';

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
  const letterKeys = useWindow((state) => state.letterKeys);
  const now = useRef(actions);
  now.current = actions;
  useEffect(() => {
    const isBrowser = isBrowserWindow(bridge);
    const press = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.repeat || event.isComposing || isOverlaid()) return;
      // On a Mac these write signs.
      if (event.altKey && isMac() && isTextField(event.target)) return;
      const all: Partial<Record<keyof typeof sessionKeys.view, (() => void) | null>> = {
        ...now.current,
        ...(isTextField(event.target) ? {} : { help: showKeys }),
      };
      const name = keyOf(event, sessionKeys.view, letterKeys, isBrowser);
      const act = name === null ? null : (all[name] ?? null);
      if (act === null) return;
      event.preventDefault();
      act();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [bridge, letterKeys]);
}
