/** The places of the window and their addresses: `#/requests/{id}?q=…`, `#/sessions/{id}`, `#/settings/{section}`. */

export type Place = 'requests' | 'sessions' | 'usage' | 'models' | 'health' | 'settings' | 'sign-in' | 'welcome';

const places: readonly Place[] = [
  'requests',
  'sessions',
  'usage',
  'models',
  'health',
  'settings',
  'sign-in',
  'welcome',
];

export interface Route {
  place: Place;
  /** The id of a request or a session, a section of the settings; null if there is none. */
  part: string | null;
  /** The query of the search field. */
  query: string;
}

export const home: Route = { place: 'requests', part: null, query: '' };

/** What is no address of ours leads home. */
export function readRoute(hash: string): Route {
  const [path = '', parameters = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const [name = '', ...rest] = path.split('/');
  const place = places.find((known) => known === name);
  if (place === undefined) return home;
  const part = decoded(rest.join('/'));
  return { place, part: part === '' ? null : part, query: new URLSearchParams(parameters).get('q') ?? '' };
}

export function writeRoute({ place, part, query }: Route): string {
  const path = part === null ? place : `${place}/${encodeURIComponent(part)}`;
  return query === '' ? `#/${path}` : `#/${path}?q=${encodeURIComponent(query)}`;
}

export function sameRoute(left: Route, right: Route): boolean {
  return left.place === right.place && left.part === right.part && left.query === right.query;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

/** Where a place is gone to from here: back to the session that was left for another place. */
export function routeTo(place: Place, { route, sessionsLeft }: { route: Route; sessionsLeft: Route | null }): Route {
  const isBack = place === 'sessions' && route.place !== 'sessions';
  return (isBack ? sessionsLeft : null) ?? { place, part: null, query: '' };
}

/** Goes to another address. `replace`: without a step to go back to. */
export function go(route: Partial<Route> & { place: Place }, options: { replace?: boolean } = {}): void {
  const address = writeRoute({ part: null, query: '', ...route });
  if (address === window.location.hash) return;
  if (options.replace === true) window.history.replaceState(null, '', address);
  else window.history.pushState(null, '', address);
  window.dispatchEvent(new HashChangeEvent('hashchange'));
}
