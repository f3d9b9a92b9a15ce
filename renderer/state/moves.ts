import type { Preferences, Theme } from '../../app/api/settings.ts';
import { showTimesIn } from '../../app/words/zone.ts';
import { type Place, type Route, readRoute, sameRoute, writeRoute } from './routes.ts';
import type { Question, Toast, WindowStore } from './window-state.ts';

/** What changes the window's state. */

/** Goes to another address. `replace`: without a step to go back to. */
export function go(route: Partial<Route> & { place: Place }, options: { replace?: boolean } = {}): void {
  const address = writeRoute({ part: null, query: '', ...route });
  if (address === window.location.hash) return;
  if (options.replace === true) window.history.replaceState(null, '', address);
  else window.history.pushState(null, '', address);
  window.dispatchEvent(new HashChangeEvent('hashchange'));
}

/** Keeps the route in step with the address. Returns the way to stop. */
export function followAddress(store: WindowStore): () => void {
  const follow = (): void => {
    const route = readRoute(window.location.hash);
    if (!sameRoute(route, store.getState().route)) store.setState({ route });
  };
  follow();
  window.addEventListener('hashchange', follow);
  window.addEventListener('popstate', follow);
  return () => {
    window.removeEventListener('hashchange', follow);
    window.removeEventListener('popstate', follow);
  };
}

let lastToast = 0;

/** `done` unless told: what was wanted has happened. */
export function toast(store: WindowStore, text: string, more: Partial<Pick<Toast, 'kind' | 'action'>> = {}): void {
  lastToast += 1;
  const next: Toast = { id: lastToast, text, kind: 'done', action: null, ...more };
  store.setState(({ toasts }) => ({ toasts: [...toasts.filter((old) => old.text !== text), next].slice(-3) }));
}

export function closeToast(store: WindowStore, id: number): void {
  store.setState(({ toasts }) => ({ toasts: toasts.filter((one) => one.id !== id) }));
}

/** Said once by a screen reader, when it has time. */
export function announce(store: WindowStore, text: string): void {
  store.setState({ polite: text });
}

/** Asks; `run` follows only where the person agrees. */
export function ask(store: WindowStore, question: Question): void {
  store.setState({ question });
}

export function dismiss(store: WindowStore, what: string): void {
  store.setState(({ dismissed }) => ({ dismissed: new Set([...dismissed, what]) }));
}

export function setTheme(store: WindowStore, theme: Theme): void {
  store.setState({ theme });
  showTheme(theme);
}

/** What the person has chosen, here or in another window, is in force from now on. */
export function takePreferences(store: WindowStore, preferences: Preferences): void {
  showTimesIn(preferences.timeZone);
  if (preferences.theme !== store.getState().theme) setTheme(store, preferences.theme);
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

/** Remembers a small wish of the person on this machine; where that is not allowed it lasts as long as the page. */
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
