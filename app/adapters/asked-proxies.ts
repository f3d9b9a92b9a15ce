import { type ProxyServer, proxyName, type Router, type Routes } from './proxy.ts';

interface AskedProxiesDependencies {
  from: 'system' | 'script';
  /**
   * Asks for the proxies to a host; null: it isn't known now, so that the last answer holds, or the direct way. Rejects
   * with `NetworkError`, and with nothing else.
   */
  ask: (url: URL) => Promise<Routes | null>;
  /** A password for a proxy is taken from `HTTPS_PROXY` where that names the same one: answers never have one. */
  env: Readonly<Record<string, string | undefined>>;
  /** ms */
  ticks: () => number;
  /** Called when none of the ways worked. */
  outdated?: () => void;
}

/** An answer costs Chromium a millisecond and a script fifty; this spares requests that. */
const freshForMs = 60_000;
const avoidedForMs = 5 * 60_000;
const direct: Routes = [null];

interface Answer {
  routes: Routes;
  until: number;
}

/** Proxies that somebody else chooses, asked once per host and minute. */
export class AskedProxies implements Router {
  readonly from: AskedProxiesDependencies['from'];
  readonly #dependencies: AskedProxiesDependencies;
  readonly #known = new Map<string, Answer>();
  readonly #asking = new Map<string, Promise<Routes>>();
  readonly #avoidedUntil = new Map<string, number>();
  readonly #credentials: { name: string; auth: string } | null;
  /** Counts changes of the network: what was asked before one is not saved. */
  #network = 0;

  constructor(dependencies: AskedProxiesDependencies) {
    this.from = dependencies.from;
    this.#dependencies = dependencies;
    this.#credentials = readCredentials(dependencies.env);
  }

  routes(url: URL): Routes | Promise<Routes> {
    const { origin } = url;
    const known = this.#known.get(origin);
    if (known && this.#dependencies.ticks() < known.until) return this.#inOrder(known.routes);
    const asked = this.#asking.get(origin);
    if (asked) return asked;
    const asking = this.#ask(url).finally(() => {
      if (this.#asking.get(origin) === asking) this.#asking.delete(origin);
    });
    this.#asking.set(origin, asking);
    return asking;
  }

  unreachable(proxy: ProxyServer): void {
    this.#avoidedUntil.set(proxyName(proxy), this.#dependencies.ticks() + avoidedForMs);
  }

  outdated({ origin }: URL): boolean {
    this.#dependencies.outdated?.();
    return this.#known.delete(origin);
  }

  /** Nothing that was learnt holds any longer. */
  forget(): void {
    this.#network += 1;
    this.#known.clear();
    this.#asking.clear();
    this.#avoidedUntil.clear();
  }

  async #ask(url: URL): Promise<Routes> {
    const { origin } = url;
    const network = this.#network;
    const before = this.#known.get(origin);
    const answer = await this.#dependencies.ask(url);
    const routes =
      answer === null
        ? (before?.routes ?? direct)
        : answer.map((proxy) => (proxy === null ? null : this.#withCredentials(proxy)));
    if (network === this.#network) this.#known.set(origin, { routes, until: this.#dependencies.ticks() + freshForMs });
    return this.#inOrder(routes);
  }

  /** Proxies that could not be reached lately come last: when all are gone they are tried all the same. */
  #inOrder(routes: Routes): Routes {
    if (this.#avoidedUntil.size === 0) return routes;
    const now = this.#dependencies.ticks();
    const avoided = (proxy: ProxyServer | null) =>
      proxy !== null && (this.#avoidedUntil.get(proxyName(proxy)) ?? 0) > now;
    return [...routes.filter((proxy) => !avoided(proxy)), ...routes.filter(avoided)];
  }

  #withCredentials(proxy: ProxyServer): ProxyServer {
    return this.#credentials?.name === proxyName(proxy) ? { ...proxy, auth: this.#credentials.auth } : proxy;
  }
}

function readCredentials(env: AskedProxiesDependencies['env']): { name: string; auth: string } | null {
  const given = env.https_proxy || env.HTTPS_PROXY || '';
  const address = given.includes('://') ? given : `http://${given}`;
  if (!URL.canParse(address)) return null;
  const { protocol, hostname, port, username, password } = new URL(address);
  if (username === '' || hostname === '') return null;
  return { name: `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`, auth: `${username}:${password}` };
}

const kinds: Readonly<Record<string, { protocol: ProxyServer['protocol']; port: number }>> = {
  PROXY: { protocol: 'http', port: 80 },
  HTTP: { protocol: 'http', port: 80 },
  HTTPS: { protocol: 'https', port: 443 },
  SOCKS: { protocol: 'socks4', port: 1080 },
  SOCKS4: { protocol: 'socks4', port: 1080 },
  SOCKS5: { protocol: 'socks5', port: 1080 },
};

/**
 * What Chromium and PAC scripts answer, `PROXY a:1; SOCKS5 b:2; DIRECT`, in its order. Kinds that Jumpseat does not
 * speak (QUIC) are left out.
 */
export function readProxyList(list: string): Routes {
  const routes = list
    .split(';')
    .map(readEntry)
    .filter((route) => route !== undefined);
  return routes.length === 0 ? direct : routes;
}

/** The same for a script that the person named: what it says and Jumpseat doesn't speak is no direct way. Null then. */
export function readScriptAnswer(list: string): Routes | null {
  const entries = list.split(';').filter((entry) => entry.trim() !== '');
  const routes = entries.map(readEntry).filter((route) => route !== undefined);
  return routes.length === 0 && entries.length > 0 ? null : readProxyList(list);
}

function readEntry(entry: string): ProxyServer | null | undefined {
  const [kind = '', place = ''] = entry.trim().split(/\s+/, 2);
  if (kind.toUpperCase() === 'DIRECT') return null;
  const known = kinds[kind.toUpperCase()];
  const [, bracketed, name, digits] = /^(?:\[([\da-f:.]+)\]|([^:/@\s]+))(?::(\d{1,5}))?$/i.exec(place) ?? [];
  const host = bracketed ?? name;
  const port = digits === undefined ? known?.port : Number(digits);
  if (!known || host === undefined || port === undefined || port < 1 || port > 65_535) return undefined;
  return { protocol: known.protocol, host, port, auth: null };
}
