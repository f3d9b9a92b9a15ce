import { type Place, type Route, readRoute, sameRoute, writeRoute } from './routes.ts';
import type { WindowStore } from './window-state.ts';

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
