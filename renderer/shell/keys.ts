import { useEffect } from 'react';
import { isCommand } from '../parts/keys.ts';
import { actionsOf } from '../state/actions.ts';
import { go, routeTo } from '../state/routes.ts';
import { useServices } from '../state/services.ts';
import { navigation } from './places.tsx';

/** Keys that work wherever the focus is: the places, the proxy, the lines for Claude Code. */
export function useWindowKeys(): void {
  const services = useServices();
  useEffect(() => {
    const actions = actionsOf(services);
    const press = (event: KeyboardEvent): void => {
      if (!isCommand(event) || document.querySelector('dialog[open]') !== null) return;
      const key = event.key.toLowerCase();
      if (event.shiftKey && key === 'p' && actions.setProxy !== null) {
        const kind = services.store.getState().app?.proxy.kind;
        void actions.setProxy(kind !== 'on' && kind !== 'starting');
      } else if (event.shiftKey && key === 'l' && actions.copyLines !== null) actions.copyLines();
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
}
