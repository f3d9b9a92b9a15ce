import { EventEmitter } from 'node:events';
import type { OutgoingHttpHeaders } from 'node:http';
import type { Dialed, Dialer } from '../app/ports.ts';

/** Timeout for headers and between bytes, in ms: the one that electron-updater has for Node's requests. */
const silenceMs = 60_000;
const mostRedirects = 10;

/** The options of Electron's `net.request` that electron-updater sets. */
interface RequestOptions {
  protocol?: string;
  hostname?: string;
  port?: string | number;
  path?: string;
  method?: string;
  headers?: OutgoingHttpHeaders;
}

/**
 * Leads an updater's requests to the network as everything else of Jumpseat: by its proxies, its PAC script and its
 * certificates. By itself electron-updater asks Chromium, which knows only the system's. Throws if its executor of
 * requests isn't the one that is known.
 */
export function dialUpdates<Updater extends object>(updater: Updater, dialer: Pick<Dialer, 'dial'>): Updater {
  const executor: unknown = Reflect.get(updater, 'httpExecutor');
  if (typeof executor !== 'object' || executor === null || typeof Reflect.get(executor, 'createRequest') !== 'function')
    throw new Error('electron-updater makes its requests in another way than before.');
  Reflect.set(
    executor,
    'createRequest',
    (options: RequestOptions, answered: (response: Dialed['response']) => void): DialedRequest =>
      new DialedRequest(options, dialer).on('response', answered),
  );
  return updater;
}

/**
 * A request with the part of Electron's `ClientRequest` that electron-updater uses. Emits `response`, `redirect` and
 * `error`. A redirect is followed where nobody listens for it, or who listens says so.
 */
export class DialedRequest extends EventEmitter<{
  response: [Dialed['response']];
  redirect: [status: number, method: string, url: string];
  error: [unknown];
  aborted: [];
}> {
  readonly #dialer: Pick<Dialer, 'dial'>;
  readonly #method: 'GET' | 'HEAD' | 'POST';
  readonly #headers: Record<string, string>;
  readonly #stop = new AbortController();
  #url: URL;
  #follows = false;

  constructor({ protocol, hostname, port, path, method, headers }: RequestOptions, dialer: Pick<Dialer, 'dial'>) {
    super();
    this.#dialer = dialer;
    this.#url = new URL(`${protocol ?? 'https:'}//${hostname}${port ? `:${port}` : ''}${path ?? '/'}`);
    const asked = method?.toUpperCase();
    this.#method = asked === 'HEAD' || asked === 'POST' ? asked : 'GET';
    // The dialer adds these by itself.
    const own = new Set(['host', 'connection', 'content-length']);
    const given = Object.entries(headers ?? {}).filter(([name]) => !own.has(name.toLowerCase()));
    this.#headers = Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
  }

  end(body?: Buffer | string): void {
    this.#send(body).catch((error: unknown) => {
      if (!this.#stop.signal.aborted) this.emit('error', error);
    });
  }

  abort(): void {
    this.#stop.abort();
  }

  followRedirect(): void {
    this.#follows = true;
  }

  async #send(body: Buffer | string | undefined): Promise<void> {
    const { signal } = this.#stop;
    for (let redirects = 0; redirects <= mostRedirects; redirects++) {
      const { response } = await this.#dialer.dial({
        ...{ url: this.#url, method: this.#method, headers: this.#headers, signal },
        ...{ headTimeoutMs: silenceMs, idleTimeoutMs: silenceMs },
        ...(body && { body }),
      });
      const { statusCode = 0, headers } = response;
      if (statusCode < 300 || statusCode > 399 || headers.location === undefined) {
        this.emit('response', response);
        return;
      }
      response.resume();
      const next = new URL(headers.location, this.#url);
      this.#follows = this.listenerCount('redirect') === 0;
      this.emit('redirect', statusCode, this.#method, next.href);
      if (!this.#follows || signal.aborted) return;
      if (next.origin !== this.#url.origin) this.#leaveSecretsOut();
      this.#url = next;
    }
    throw new Error(`Too many redirects (> ${mostRedirects})`);
  }

  #leaveSecretsOut(): void {
    for (const name of Object.keys(this.#headers))
      if (/^(?:proxy-)?authorization$|^cookie$/i.test(name)) delete this.#headers[name];
  }
}
