import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { UpdateState } from '../app/api/state.ts';
import { t } from '../app/language/translate.ts';
import type { Clock, Dialer, Log } from '../app/ports.ts';
import { dialUpdates } from './update-network.ts';

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
