import { useEffect, useRef } from 'react';
import { isOverlaid } from '../../../parts/overlaid.ts';
import { isKey, sessionKeys } from '../../session-keys.ts';
import type { Find } from './use-find.ts';

/** Ctrl/Cmd+F, F3 and Shift+F3, wherever the focus is. */
export function useFindKeys(find: Find, open: (() => void) | undefined): void {
  const latest = useRef({ find, open });
  latest.current = { find, open };
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const { find, open } = latest.current;
      if (open === undefined || isOverlaid()) return;
      const isOn = isKey(event, sessionKeys.view.findNext);
      const isBack = isKey(event, sessionKeys.view.findBefore);
      if (isKey(event, sessionKeys.view.find) || ((isOn || isBack) && !find.isOpen)) open();
      else if (isOn) find.on();
      else if (isBack) find.back();
      else return;
      event.preventDefault();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
}
