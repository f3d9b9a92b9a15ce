import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import type { OutgoingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import type { UpdateState } from '../app/api/state.ts';
import { t } from '../app/language/translate.ts';
import type { Clock, Dialed, Dialer, Log } from '../app/ports.ts';

/** What is used of electron-updater. */
interface Updater {
  autoDownload: boolean;
  autoInstallOnAppQuit: boolean;
  allowDowngrade: boolean;
  allowPrerelease: boolean;
  disableWebInstaller: boolean;
  requestHeaders: Record<string, string | string[] | undefined> | object | null;
  logger: unknown;
  on(event: 'update-available' | 'update-downloaded', listener: (info: { version: string }) => void): unknown;
  on(event: 'download-progress', listener: (progress: { percent: number }) => void): unknown;
  on(event: 'update-not-available', listener: () => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  checkForUpdates(): Promise<unknown>;
  quitAndInstall(isSilent?: boolean, isForceRunAfter?: boolean): void;
}

export interface UpdatesDependencies {
  /** Why nothing is ever asked; null if this build has a host that it gets new versions from. */
  whyOff: string | null;
  load: () => Promise<Updater>;
  /** Brings everything to its end before the new version is put in place of this one. False: not now. */
  beforeRestart: () => Promise<boolean>;
  clock: Clock;
  log: Log;
}

const firstAfterMs = 60_000;
const everyMs = 6 * 3_600_000;

/**
 * New versions of this app: looked for now and then, fetched and checked in the background, put in place when a person
 * says so or quits.
 */
export class Updates {
  readonly #dependencies: UpdatesDependencies;
  readonly #listeners = new Set<(state: UpdateState) => void>();
  readonly #closed = new AbortController();
  #updater: Updater | null = null;
  #state: UpdateState;

  constructor(dependencies: UpdatesDependencies) {
    this.#dependencies = dependencies;
    this.#state =
      dependencies.whyOff === null ? { kind: 'idle', checkedAt: null } : { kind: 'off', reason: dependencies.whyOff };
  }

  state(): UpdateState {
    return this.#state;
  }

  /** Returns the way to stop listening. */
  onChange(listener: (state: UpdateState) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Looks from now on: first after a minute, so that nothing is slowed down at the start. */
  async start(): Promise<void> {
    if (this.#state.kind === 'off') return;
    this.#dependencies.log.write('info', 'updates.on');
    const { signal } = this.#closed;
    for (let pause = firstAfterMs; !signal.aborted; pause = everyMs) {
      try {
        await this.#dependencies.clock.sleep(pause, signal);
      } catch {
        return;
      }
      await this.check();
    }
  }

  /** Asks the host now, where there is one. Never rejects: what went wrong is a state. */
  async check(): Promise<UpdateState> {
    const { kind } = this.#state;
    if (kind === 'off' || kind === 'checking' || kind === 'loading' || kind === 'ready') return this.#state;
    this.#become({ kind: 'checking' });
    try {
      this.#updater ??= await this.#prepare();
      await this.#updater.checkForUpdates();
    } catch (error) {
      this.#failed(error);
    }
    return this.#state;
  }

  /** Puts the new version in place and starts it. Does nothing while there is none. */
  async restart(): Promise<void> {
    if (this.#state.kind !== 'ready' || this.#updater === null) return;
    if (!(await this.#dependencies.beforeRestart())) return;
    this.#updater.quitAndInstall(true, true);
  }

  close(): void {
    this.#closed.abort();
    this.#listeners.clear();
  }

  async #prepare(): Promise<Updater> {
    const { load, log, clock } = this.#dependencies;
    const updater = await load();
    updater.autoDownload = true;
    updater.autoInstallOnAppQuit = true;
    updater.allowDowngrade = false;
    updater.allowPrerelease = false;
    updater.disableWebInstaller = true;
    // It would send a number that stays the same for this machine.
    updater.requestHeaders = { 'x-user-staging-id': 'none' };
    // Its own lines hold addresses and paths without end; what matters is written here.
    updater.logger = null;
    updater.on('update-not-available', () => this.#become({ kind: 'idle', checkedAt: clock.now() }));
    updater.on('update-available', ({ version }) => this.#become({ kind: 'loading', version, percent: 0 }));
    updater.on('download-progress', ({ percent }) => this.#progressed(percent));
    updater.on('update-downloaded', ({ version }) => {
      log.write('info', 'updates.ready', { version });
      this.#become({ kind: 'ready', version });
    });
    updater.on('error', (error) => this.#failed(error));
    return updater;
  }

  #progressed(percent: number): void {
    if (this.#state.kind !== 'loading') return;
    const whole = Math.floor(percent);
    if (whole !== this.#state.percent) this.#become({ ...this.#state, percent: whole });
  }

  #failed(error: unknown): void {
    // One failure comes as an event and as a rejection.
    if (this.#state.kind === 'failed') return;
    this.#dependencies.log.write('warn', 'updates.failed', { error });
    this.#become({
      kind: 'failed',
      text: t('Looking for a new version failed.'),
      remedy: t('It is tried again later. The log says why.'),
    });
  }

  #become(state: UpdateState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener(state);
  }
}

interface Build {
  packaged: boolean;
  /** The folder that the installer filled: `process.resourcesPath`. */
  resources: string;
  platform: NodeJS.Platform;
  env: Readonly<Record<string, string | undefined>>;
}

/**
 * Why this build asks no host for updates; null if it does. The packager writes the host's address into the package.
 */
export function whyNoUpdates({ packaged, resources, platform, env }: Build): string | null {
  if (!packaged) return t('This is a development build. It doesn’t look for updates.');
  if (!existsSync(join(resources, 'app-update.yml'))) return t('This build has no host to get updates from.');
  if (platform !== 'linux' || env.APPIMAGE) return null;
  // What the packager writes into packages for Debian and Fedora: installing one takes a password.
  return existsSync(join(resources, 'package-type'))
    ? t('This package is updated by your system, or when you install a newer one.')
    : t('Update this build the way you installed it, with your package manager or installer.');
}

/** Updates of this very build. electron-updater is loaded when a host is asked for the first time. */
export function buildUpdates(parts: {
  env: Build['env'];
  packaged: boolean;
  dialer: Dialer;
  clock: Clock;
  log: Log;
  beforeRestart: () => Promise<boolean>;
}): Updates {
  const { env, packaged, dialer, clock, log, beforeRestart } = parts;
  const build: Build = { packaged, resources: process.resourcesPath, platform: process.platform, env };
  return new Updates({
    whyOff: whyNoUpdates(build),
    load: async () => dialUpdates((await import('electron-updater')).default.autoUpdater, dialer),
    beforeRestart,
    clock,
    log,
  });
}

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
function dialUpdates<Updater extends object>(updater: Updater, dialer: Pick<Dialer, 'dial'>): Updater {
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
class DialedRequest extends EventEmitter<{
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
