import { useEffect, useRef } from 'react';
import { isCommand } from '../../../parts/command-key.ts';
import type { Find } from './use-find.ts';

/** Ctrl/Cmd+F, F3 and Shift+F3, wherever the focus is. */
export function useFindKeys(find: Find, open: (() => void) | undefined): void {
  const latest = useRef({ find, open });
  latest.current = { find, open };
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const { find, open } = latest.current;
      if (open === undefined || document.querySelector('dialog[open]') !== null) return;
      if (isCommand(event) && !event.shiftKey && event.key.toLowerCase() === 'f') open();
      else if (event.key !== 'F3' || event.ctrlKey || event.metaKey || event.altKey) return;
      else if (!find.isOpen) open();
      else if (event.shiftKey) find.back();
      else find.on();
      event.preventDefault();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
}
