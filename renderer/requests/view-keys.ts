import { useEffect } from 'react';
import { isCommand } from '../parts/command-key.ts';
import { useWindow } from '../state/services.ts';

interface ViewKeys {
  /** False: no request is chosen. */
  copyCurl: (() => void) | false;
  exportList: () => void;
  clear: () => void;
  showKeys: () => void;
}

/** Keys of the whole view: they work wherever the focus is in it. */
export function useViewKeys({ copyCurl, exportList, clear, showKeys }: ViewKeys): void {
  const letterKeys = useWindow((state) => state.letterKeys);
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || document.querySelector('dialog[open], [popover]:popover-open') !== null) return;
      const typing = event.target instanceof HTMLElement && event.target.closest('input, textarea, select') !== null;
      const key = event.key.toLowerCase();
      if (isCommand(event) && event.shiftKey && key === 'c' && copyCurl) copyCurl();
      else if (isCommand(event) && !event.shiftKey && key === 'e') exportList();
      else if (isCommand(event) && !event.shiftKey && key === 'k') clear();
      else if ((isCommand(event) && !event.shiftKey && key === 'f') || (key === '/' && letterKeys && !typing)) {
        document.getElementById('search')?.focus();
      } else if (event.key === '?' && letterKeys && !typing) showKeys();
      else return;
      event.preventDefault();
    };
    window.addEventListener('keydown', pressed);
    return () => window.removeEventListener('keydown', pressed);
  });
}
