import { powerMonitor, session } from 'electron';
import { AskedProxies, readProxyList } from '../app/adapters/asked-proxies.ts';
import { nodeDialer } from '../app/adapters/dialer.ts';
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
  return nodeDialer({ env, router: proxies });
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

/**
 * A PAC script that cannot be loaded holds an answer up. After this the last known way is taken for a while, or the
 * direct one.
 */
const longestWaitMs = 10_000;

/** The system's own choice of proxies. Shared by everything that leaves this machine. */
export class SystemProxy extends AskedProxies {
  readonly #reload: () => Promise<void>;

  constructor({ resolve, reload, env, ticks }: SystemProxyDependencies) {
    super({
      from: 'system',
      ask: async ({ origin }) => {
        const list = await within(resolve(`${origin}/`), longestWaitMs);
        return list === null ? null : readProxyList(list);
      },
      env,
      ticks,
    });
    this.#reload = reload;
  }

  /** The machine woke up or the network is another one: nothing that was learnt holds any longer. */
  networkChanged(): void {
    this.forget();
    this.#reload().catch(() => undefined);
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
