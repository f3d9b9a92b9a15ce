import { useEffect, useRef } from 'react';
import { isChord, isCommand, isMac } from '../parts/shortcuts.ts';
import { actionsOf } from '../state/actions.ts';
import { go, routeTo } from '../state/routes.ts';
import { useServices } from '../state/services.ts';
import { navigation } from './places.tsx';

/** Keys that work wherever the focus is: the places, the proxy, the lines for Claude Code, the palette. */
export function useWindowShortcuts(openPalette: () => void): void {
  const services = useServices();
  const open = useRef(openPalette);
  open.current = openPalette;
  useEffect(() => {
    const actions = actionsOf(services);
    const press = (event: KeyboardEvent): void => {
      const step = historyStep(event);
      // A browser does it by itself.
      if (step !== 0 && services.bridge.chooseFolder !== null && document.querySelector('dialog[open]') === null) {
        window.history.go(step);
        event.preventDefault();
        return;
      }
      if (!isCommand(event) || document.querySelector('dialog[open]') !== null) return;
      const key = event.key.toLowerCase();
      if (event.shiftKey && key === 'p' && actions.setProxy !== null) {
        const kind = services.store.getState().app?.proxy.kind;
        void actions.setProxy(kind !== 'on' && kind !== 'starting');
      } else if (event.shiftKey && key === 'l' && actions.copyLines !== null) actions.copyLines();
      else if (key === 'k' && !event.shiftKey) open.current();
      else {
        const entry = event.shiftKey ? undefined : navigation.find((one) => one.key === key);
        if (entry === undefined) return;
        const state = services.store.getState();
        // What is open in a place stays open where one is there already.
        if (state.route.place !== entry.place) {
          go(routeTo(entry.place, state));
          document.getElementById('main')?.focus();
        }
      }
      event.preventDefault();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [services]);
  useEffect(keepMenuClosed, []);
}

/** Alt alone opens the menu bar of the desktop's window; where it was held for a key of ours, it doesn't. */
function keepMenuClosed(): () => void {
  let last: KeyboardEvent | null = null;
  const press = (event: KeyboardEvent): void => {
    last = event;
  };
  const release = (event: KeyboardEvent): void => {
    // Others who listen have had it by now.
    if (event.key === 'Alt' && last?.altKey === true && last.key !== 'Alt' && last.defaultPrevented)
      event.preventDefault();
  };
  window.addEventListener('keydown', press, { capture: true });
  window.addEventListener('keyup', release);
  return () => {
    window.removeEventListener('keydown', press, { capture: true });
    window.removeEventListener('keyup', release);
  };
}

/** To where the window was before, or to where it went from there: the keys of the system's browsers. */
function historyStep(event: KeyboardEvent): -1 | 0 | 1 {
  const [back, forward] = isMac() ? ['Mod+[', 'Mod+]'] : ['Alt+ArrowLeft', 'Alt+ArrowRight'];
  if (isChord(event, back)) return -1;
  return isChord(event, forward) ? 1 : 0;
}
