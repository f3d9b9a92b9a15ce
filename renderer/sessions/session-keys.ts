import type { Bridge } from '../bridge.ts';
import { isMac } from '../parts/command-key.ts';
import { useServices } from '../state/services.ts';

/** What a key of this view is called where it does something. */
export interface KeyNames {
  newSession: string;
  goTo: string;
  changes: string;
  list: string;
}

/** `Ctrl+F`, `⌘F` */
export const commandKey = (key: string): string => (isMac() ? `⌘${key}` : `Ctrl+${key}`);

/** A browser keeps Ctrl+N and Ctrl+P for itself. */
export const isBrowserWindow = ({ chooseFolder }: Pick<Bridge, 'chooseFolder'>): boolean => chooseFolder === null;

export function useKeyNames(): KeyNames {
  const isBrowser = isBrowserWindow(useServices().bridge);
  const own = (key: string): string => (isBrowser ? (isMac() ? `⌥${key}` : `Alt+${key}`) : commandKey(key));
  return { newSession: own('N'), goTo: own('P'), changes: commandKey('D'), list: commandKey('B') };
}
