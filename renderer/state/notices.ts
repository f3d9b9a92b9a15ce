import { t } from '../../app/language/translate.ts';
import type { Bridge } from '../bridge/bridge.ts';
import { dialogNotices } from '../parts/dialog.tsx';
import type { Toast, WindowStore } from './window-state.ts';

let lastToast = 0;

/** `done` unless told: what was wanted has happened. */
export function toast(store: WindowStore, text: string, more: Partial<Pick<Toast, 'kind' | 'action'>> = {}): void {
  lastToast += 1;
  const place = dialogNotices.getState().places.at(-1) ?? null;
  const next: Toast = { id: lastToast, text, kind: 'done', action: null, place, ...more };
  store.setState(({ toasts }) => ({ toasts: [...toasts.filter((old) => old.text !== text), next].slice(-3) }));
}

/** The tray app tells when a file is saved; where a browser saves it, nobody does. */
export function savesFile({ bridge, store }: { bridge: Bridge; store: WindowStore }, file: string): void {
  if (bridge.openFile === null) toast(store, t('Your browser saves {file}.', { file }));
}

export function closeToast(store: WindowStore, id: number): void {
  store.setState(({ toasts }) => ({ toasts: toasts.filter((one) => one.id !== id) }));
}

/** Said once by a screen reader, when it has time. What is said again has to change to be heard: by a space. */
export function announce(store: WindowStore, text: string): void {
  store.setState(({ polite }) => ({ polite: polite === text ? `${text}\u00a0` : text }));
}

export function dismiss(store: WindowStore, what: string): void {
  store.setState(({ dismissed }) => ({ dismissed: new Set([...dismissed, what]) }));
}
