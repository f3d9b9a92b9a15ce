import { useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { isMac, isOverlaid, isTextField } from '../parts/shortcuts.ts';
import { ShortcutsDialog } from '../parts/shortcuts-dialog.tsx';
import { setLetterKeys } from '../state/preferences.ts';
import { useServices, useWindow } from '../state/services.ts';
import { isBrowserWindow, keyGroups, keyOf, sessionShortcuts } from './session-shortcuts.ts';

interface ViewActions {
  newSession: () => void;
  /** Asks for a session by its name. */
  goTo: () => void;
  /** Null if no session is open. */
  changes: (() => void) | null;
  /** Null if no session is open. */
  sideQuestions: (() => void) | null;
  list: () => void;
  /** Null where the message field is shown, which has this key. */
  templates: (() => void) | null;
  /** The open session in a further window; null if none is open. */
  beside: (() => void) | null;
  /** The next session that waits for an answer. */
  nextWaiting: () => void;
}

/** The keys of the whole view. A dialog or a menu that is open has its own. */
export function useViewShortcuts(actions: ViewActions): void {
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
      const all: Partial<Record<keyof typeof sessionShortcuts.view, (() => void) | null>> = {
        ...now.current,
        ...(isTextField(event.target) ? {} : { help: showShortcuts }),
      };
      const name = keyOf(event, sessionShortcuts.view, letterKeys, isBrowser);
      const act = name === null ? null : (all[name] ?? null);
      if (act === null) return;
      event.preventDefault();
      act();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [bridge, letterKeys]);
}

/** The keys of the view, where they were asked for. */
export function SessionShortcutsDialog() {
  const { bridge, store } = useServices();
  const letterKeys = useWindow((state) => state.letterKeys);
  const { isShown } = useStore(shortcutsShown);
  if (!isShown) return null;
  return (
    <ShortcutsDialog
      groups={keyGroups(isBrowserWindow(bridge))}
      letterKeys={letterKeys}
      setLetterKeys={(on) => setLetterKeys(store, on)}
      close={() => shortcutsShown.setState({ isShown: false })}
    />
  );
}

/** Whether the list of keys is open. */
const shortcutsShown = createStore<{ isShown: boolean }>(() => ({ isShown: false }));

export const showShortcuts = (): void => shortcutsShown.setState({ isShown: true });
