import type { Preferences, Theme } from '../../app/api/settings.ts';
import { showTimesIn } from '../../app/words/times.ts';
import { chooseLanguage } from './language.ts';
import type { WindowStore } from './window-state.ts';

function setTheme(store: WindowStore, theme: Theme): void {
  store.setState({ theme });
  showTheme(theme);
}

/** What the person has chosen, here or in another window, is in force from now on. */
export function takePreferences(store: WindowStore, preferences: Preferences): void {
  showTimesIn(preferences.timeZone);
  if (preferences.theme !== store.getState().theme) setTheme(store, preferences.theme);
  if (preferences.language !== store.getState().preferences?.language) void chooseLanguage(preferences.language);
  store.setState({ preferences });
}

/** The theme that the page came with on its root. */
export function readTheme(store: WindowStore): void {
  const { theme } = document.documentElement.dataset;
  store.setState({ theme: theme === 'light' || theme === 'dark' ? theme : 'system' });
}

function showTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

const letterKeysKey = 'jumpseat.letter-keys';

/** Single letters, digits and signs do something in the list, or nothing at all. */
export function setLetterKeys(store: WindowStore, on: boolean): void {
  store.setState({ letterKeys: on });
  keep(letterKeysKey, on ? 'on' : 'off');
}

export function readLetterKeys(store: WindowStore): void {
  store.setState({ letterKeys: recall(letterKeysKey) !== 'off' });
}

/** Remembers a small choice of the person on this machine; where that is not allowed it lasts as long as the page. */
export function keep(key: string, value: string): void {
  try {
    window.localStorage.setItem(key, value);
  } catch {
    // Storage can be switched off or full.
  }
}

export function recall(key: string): string | null {
  try {
    return window.localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Names of earlier versions: the theme lies in settings.json by now. */
const oldKeys = ['jumpseat.theme'];

/** Removes what earlier versions stored under names that are no longer used. */
export function forgetOldKeys(): void {
  try {
    for (const key of oldKeys) window.localStorage.removeItem(key);
  } catch {
    // Where storage is switched off nothing is left in it.
  }
}
