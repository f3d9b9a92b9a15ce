import type { ProxyReport } from '../ports.ts';

/** `HTTPS_PROXY` and `NO_PROXY` as Node's agents take them. */
export type ProxyEnvironment = { readonly HTTPS_PROXY: string; readonly NO_PROXY: string };

/** Null: no proxy is named. Loopback is never reached through a proxy, whatever the environment leaves out. */
export function readProxyEnvironment(env: Record<string, string | undefined>): ProxyEnvironment | null {
  const given = env.https_proxy || env.HTTPS_PROXY;
  if (!given) return null;
  const except = env.no_proxy || env.NO_PROXY;
  // Without a scheme every other program takes an address for http; Node would leave it out of account, and one in
  // capitals too.
  const proxy = given.includes('://') ? given.replace(/^[^:]+/, (scheme) => scheme.toLowerCase()) : `http://${given}`;
  return { HTTPS_PROXY: proxy, NO_PROXY: [except, 'localhost', '127.0.0.1', '[::1]', '::1'].filter(Boolean).join(',') };
}

/** The proxy that Node's agents take for an address, as a person knows it. */
export function environmentProxy({ HTTPS_PROXY, NO_PROXY }: ProxyEnvironment, url: URL): ProxyReport | null {
  if (isExcepted(url, NO_PROXY)) return null;
  if (!URL.canParse(HTTPS_PROXY)) return { address: 'HTTPS_PROXY', from: 'environment', hasCredentials: false };
  const { host, username } = new URL(HTTPS_PROXY);
  return { address: host, from: 'environment', hasCredentials: username !== '' };
}

/** The rules of Node's agents for names: all, a name, a name with its port, what ends like it. */
function isExcepted({ hostname, port }: URL, list: string): boolean {
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      if (entry === '*') return true;
      const [, name = entry, wanted] = /^(.+):(\d+)$/.exec(entry) ?? [];
      if (wanted !== undefined && wanted !== (port || '443')) return false;
      const suffix = name.startsWith('*.') ? name.slice(1) : name;
      return suffix.startsWith('.') ? hostname.endsWith(suffix) : hostname === suffix;
    });
}
