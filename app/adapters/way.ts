import type { ProxyServer } from './proxy.ts';

/**
 * How a request leaves: through one proxy, or directly (`proxy: null`); `env` leaves it to Node and the environment.
 */
export type Way = { kind: 'env'; proxy: null } | { kind: 'route'; proxy: ProxyServer | null };
export const byEnvironment: Way = { kind: 'env', proxy: null };
export const directly: Way = { kind: 'route', proxy: null };

/** Whether the connection goes to the host itself. Plain ones do, whatever the way. */
export function isDirect(way: Way, url: URL): boolean {
  return way === directly || url.protocol === 'http:';
}
