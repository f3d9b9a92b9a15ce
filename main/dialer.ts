import { powerMonitor, session } from 'electron';
import { nodeDialer } from '../app/adapters/dialer.ts';
import type { Dialer } from '../app/ports.ts';
import { SystemProxy } from './system-proxy.ts';

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
