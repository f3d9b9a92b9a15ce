import { useEffect } from 'react';
import { t } from '../../app/language/translate.ts';
import { isCommand, isMac } from '../parts/shortcuts.ts';
import { type ShortcutLine, ShortcutsDialog } from '../parts/shortcuts-dialog.tsx';
import { setLetterKeys } from '../state/preferences.ts';
import { useServices, useWindow } from '../state/services.ts';

/** The keys of the list of requests. */
export function RequestShortcuts({ close }: { close: () => void }) {
  const { store } = useServices();
  const letterKeys = useWindow((state) => state.letterKeys);
  const command = isMac() ? '⌘' : 'Ctrl+';
  const keys: readonly ShortcutLine[] = [
    { key: `${command}1 … ${command}5, ${command},`, does: t('Go to a place') },
    { key: `${command}F`, does: t('Search field') },
    { key: '/', does: t('Search field'), letter: true },
    { key: '↑ ↓', does: t('Row up, down') },
    { key: 'k, j', does: t('Row up, down'), letter: true },
    { key: 'PgUp PgDn, Home, End', does: t('Page, first, last') },
    { key: '← →', does: t('Cell') },
    { key: 'Enter', does: t('Open the details; Esc closes them') },
    { key: '[, ]', does: t('Tab to the left, right'), letter: true },
    { key: 'u, Shift+u', does: t('Next, previous user request'), letter: true },
    { key: 'e, Shift+e', does: t('Next, previous error'), letter: true },
    { key: 'Space', does: t('Pause, resume') },
    { key: 'p', does: t('Pin'), letter: true },
    { key: 'c', does: t('Copy as cURL'), letter: true },
    { key: `${command}Shift+C`, does: t('Copy as cURL') },
    { key: 's', does: t('Show this session only'), letter: true },
    { key: 'Shift+F10', does: t('Menu of the row') },
    { key: `${command}E`, does: t('Export') },
    { key: `${command}Shift+K`, does: t('Clear list') },
    { key: `${command}K`, does: t('Search sessions, commands and settings') },
    { key: `${command}Shift+P`, does: t('Turn the proxy on or off') },
    { key: `${command}Shift+L`, does: t('Copy the lines for Claude Code') },
    { key: '?', does: t('This list'), letter: true },
  ];
  return (
    <ShortcutsDialog
      groups={[{ heading: null, keys }]}
      {...{ letterKeys, close }}
      setLetterKeys={(on) => setLetterKeys(store, on)}
    />
  );
}

/** True if no control has the focus, as after a change of place or a closed dialog. */
function isNowhere(target: EventTarget | null): boolean {
  return target === document.body || target === document.getElementById('main');
}

/** A key that was meant for the list works there. Tab goes on from where it is. Returns whether the list knows it. */
function handOver(event: KeyboardEvent, focusList: () => HTMLElement | null): boolean {
  if (event.key === 'Tab' || event.key === 'Shift' || isCommand(event) || event.altKey) return false;
  const list = focusList();
  if (list === null) return false;
  const { key, code, shiftKey } = event;
  return !list.dispatchEvent(new KeyboardEvent('keydown', { key, code, shiftKey, bubbles: true, cancelable: true }));
}

interface ViewShortcuts {
  /** False: no request is chosen. */
  copyCurl: (() => void) | false;
  exportList: () => void;
  clear: () => void;
  showShortcuts: () => void;
  /** Gives the focus to the list of rows, where there is one. */
  focusList: () => HTMLElement | null;
}

/** Keys of the whole view: they work wherever the focus is in it. */
export function useViewShortcuts({ copyCurl, exportList, clear, showShortcuts, focusList }: ViewShortcuts): void {
  const letterKeys = useWindow((state) => state.letterKeys);
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || document.querySelector('dialog[open], [popover]:popover-open') !== null) return;
      const typing = event.target instanceof HTMLElement && event.target.closest('input, textarea, select') !== null;
      const key = event.key.toLowerCase();
      if (isCommand(event) && event.shiftKey && key === 'c' && copyCurl) copyCurl();
      else if (isCommand(event) && !event.shiftKey && key === 'e') exportList();
      else if (isCommand(event) && event.shiftKey && key === 'k') clear();
      else if ((isCommand(event) && !event.shiftKey && key === 'f') || (key === '/' && letterKeys && !typing)) {
        document.getElementById('search')?.focus();
      } else if (event.key === '?' && letterKeys && !typing) showShortcuts();
      else if (!isNowhere(event.target) || !handOver(event, focusList)) return;
      event.preventDefault();
    };
    window.addEventListener('keydown', pressed);
    return () => window.removeEventListener('keydown', pressed);
  });
}
