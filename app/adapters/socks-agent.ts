import { once } from 'node:events';
import https, { type AgentOptions } from 'node:https';
import net from 'node:net';
import type { Duplex } from 'node:stream';
import type { ProxyServer } from './proxy.ts';

const limitMs = 30_000;

type Connected = (error: Error | null, stream: Duplex) => void;

/**
 * TLS through a SOCKS proxy, which also looks the name up. What fails before the proxy answers keeps Node's own error.
 */
export class SocksAgent extends https.Agent {
  readonly #proxy: ProxyServer;

  constructor(proxy: ProxyServer, options: AgentOptions) {
    super(options);
    this.#proxy = proxy;
  }

  override createConnection(options: https.RequestOptions, connected?: Connected): undefined {
    const fail = (error: unknown) => Reflect.apply(connected ?? (() => undefined), undefined, [error]);
    tunnel(this.#proxy, options.host ?? '', Number(options.port)).then((socket) => {
      const through = Object.assign({}, options, { socket });
      const secure = super.createConnection(through);
      if (secure) connected?.(null, secure);
    }, fail);
  }
}

/** A way through the proxy failed after the proxy was reached. */
export class SocksError extends Error {
  override readonly name = 'SocksError';
  readonly code = 'ERR_SOCKS';
}

async function tunnel(
  { protocol, host, port, auth }: ProxyServer,
  target: string,
  targetPort: number,
): Promise<net.Socket> {
  const { SocksClient } = await import('socks');
  const socket = net.connect({ host, port, noDelay: true });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(limitMs) });
  } catch (error) {
    socket.destroy();
    throw error;
  }
  const [userId, password] = (auth ?? '').split(':').map(decodeURIComponent);
  try {
    const { socket: through } = await SocksClient.createConnection({
      command: 'connect',
      proxy: {
        host,
        port,
        type: protocol === 'socks4' ? 4 : 5,
        ...(userId ? { userId } : undefined),
        ...(password ? { password } : undefined),
      },
      destination: { host: target, port: targetPort },
      timeout: limitMs,
      existing_socket: socket,
    });
    return through;
  } catch (error) {
    socket.destroy();
    throw new SocksError(error instanceof Error ? error.message : 'unknown', { cause: error });
  }
}
