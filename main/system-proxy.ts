import { powerMonitor, session } from 'electron';
import { nodeDialer } from '../app/adapters/dialer.ts';
import { type ProxyServer, proxyName, type Router, type Routes } from '../app/adapters/proxy.ts';
import type { Dialer } from '../app/ports.ts';

/**
 * The tray app's one way to GitHub and Copilot: Node's clients, led by the proxies that Chromium finds in the system's
 * settings. May be made before the app is ready; it can be used from then on.
 */
export function systemDialer(env: NodeJS.ProcessEnv): Dialer {
  const proxies = new SystemProxy({
    resolve: (address) => session.defaultSession.resolveProxy(address),
    reload: () => session.defaultSession.forceReloadProxyConfig(),
    env,
    ticks: () => performance.now(),
  });
  powerMonitor.on('resume', () => proxies.networkChanged());
  return nodeDialer({ router: proxies });
}

interface SystemProxyDependencies {
  /**
   * Chromium's answer for an address: the system's settings or a PAC script, `PROXY a:1;DIRECT`. Passwords are never in
   * it.
   */
  resolve: (address: string) => Promise<string>;
  /** Has Chromium read the settings and the PAC script again. */
  reload: () => Promise<void>;
  /**
   * A password for a proxy is taken from `HTTPS_PROXY` where that names the same one: the system keeps its own to
   * itself.
   */
  env: Readonly<Record<string, string | undefined>>;
  /** Monotonic, ms. */
  ticks: () => number;
}

/** Chromium answers from its own memory in less than a millisecond; this spares every request even that. */
const freshForMs = 60_000;
/**
 * A PAC script that cannot be loaded holds an answer up. After this the last known way is taken for a while, or the
 * direct one.
 */
const longestWaitMs = 10_000;
const avoidedForMs = 5 * 60_000;
const direct: Routes = [null];

interface Answer {
  routes: Routes;
  until: number;
}

/**
 * The system's own choice of proxies, asked once per host and minute. Shared by everything that leaves this machine.
 */
export class SystemProxy implements Router {
  readonly from = 'system';
  readonly #dependencies: SystemProxyDependencies;
  readonly #known = new Map<string, Answer>();
  readonly #asking = new Map<string, Promise<Routes>>();
  readonly #avoidedUntil = new Map<string, number>();
  readonly #credentials: { name: string; auth: string } | null;
  /** Counts changes of the network: what was asked before one is not saved. */
  #network = 0;

  constructor(dependencies: SystemProxyDependencies) {
    this.#dependencies = dependencies;
    this.#credentials = readCredentials(dependencies.env);
  }

  routes({ origin }: URL): Routes | Promise<Routes> {
    const known = this.#known.get(origin);
    if (known && this.#dependencies.ticks() < known.until) return this.#inOrder(known.routes);
    const asked = this.#asking.get(origin);
    if (asked) return asked;
    const asking = this.#ask(origin).finally(() => {
      if (this.#asking.get(origin) === asking) this.#asking.delete(origin);
    });
    this.#asking.set(origin, asking);
    return asking;
  }

  unreachable(proxy: ProxyServer): void {
    this.#avoidedUntil.set(proxyName(proxy), this.#dependencies.ticks() + avoidedForMs);
  }

  outdated({ origin }: URL): boolean {
    return this.#known.delete(origin);
  }

  /** The machine woke up or the network is another one: nothing that was learnt holds any longer. */
  networkChanged(): void {
    this.#network += 1;
    this.#known.clear();
    this.#asking.clear();
    this.#avoidedUntil.clear();
    this.#dependencies.reload().catch(() => undefined);
  }

  async #ask(origin: string): Promise<Routes> {
    const network = this.#network;
    const before = this.#known.get(origin);
    const list = await within(this.#dependencies.resolve(`${origin}/`), longestWaitMs);
    const routes =
      list === null
        ? (before?.routes ?? direct)
        : readProxyList(list).map((proxy) => (proxy === null ? null : this.#withCredentials(proxy)));
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

/** Null when it took too long or failed. */
async function within(answer: Promise<string>, limitMs: number): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, limitMs, null);
  });
  try {
    return await Promise.race([answer, late]);
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
}

function readCredentials(env: SystemProxyDependencies['env']): { name: string; auth: string } | null {
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
  return routes.length === 0 ? [null] : routes;
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
