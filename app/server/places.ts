import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Problem } from '../api/call.ts';
import type { Place, ProxyState } from '../api/state.ts';
import { t } from '../language/translate.ts';
import type { Clock, Log } from '../ports.ts';
import { addressProblem } from '../settings/network-settings.ts';
import type { Settings } from '../settings/settings.ts';
import { SettingsError } from '../settings/write-settings.ts';
import { type OwnInterface, placesOf, whoReaches } from '../words/reach.ts';
import { urlAt } from './door.ts';
import type { LocalServer } from './server.ts';
import { closeToOthers, prepareSocket, SocketFileError, usualSocket } from './socket-file.ts';

/** What the settings want. */
export interface WantedPlaces {
  /** The path of the socket; null: no socket. */
  socket: string | null;
  address: string | null;
  /** The address for which the person agreed. */
  agreed: string | null;
}

/** Who could reach this address. Rejects with `SettingsError` where nobody can listen on it. */
export async function whoReachesAddress(address: string): Promise<string> {
  const problem = addressProblem(address);
  if (problem !== null) throw new SettingsError(problem.text, problem.remedy);
  if (await isOurs(address)) return whoReaches(address, interfaceOf(address));
  throw new SettingsError(
    t('This machine doesn’t have the address {address} now.', { address }),
    t('Enter an address that it has, or start what brings the address, such as Docker.'),
  );
}

function isOurs(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.on('error', () => resolve(false));
    probe.listen({ host: address, port: 0, exclusive: true }, () => probe.close(() => resolve(true)));
  });
}

export function wantedPlaces({ proxy, addressAgreed }: Settings, home: string): WantedPlaces {
  const socket = proxy.socket ? (proxy.socketPath ?? usualSocket(home)) : null;
  return { socket, address: proxy.address, agreed: addressAgreed };
}

/** Where it is or would be reached, for lines that a person copies. */
export function ownPlaces({ proxy }: Settings, home: string) {
  const [, wsl = []] = Object.entries(networkInterfaces()).find(([name]) => /wsl/i.test(name)) ?? [];
  return {
    socket: proxy.socketPath ?? usualSocket(home),
    isSocketOn: proxy.socket,
    wslAddress: wsl.find(({ family }) => family === 'IPv4')?.address ?? null,
    platform: process.platform,
  };
}

/** What isn't open although the settings want it. */
export function placeProblems(proxy: ProxyState): Problem[] {
  return placesOf({ proxy }).flatMap(({ problem }) => problem ?? []);
}

interface PlacesDependencies {
  wanted(): WantedPlaces;
  clock: Clock;
  log: Log;
  /** `list()` is another one now. */
  changed(): void;
}

interface Opened {
  place: Place;
  close: (() => void) | null;
}

/** How often what can't be opened is tried again: a bridge comes up after Jumpseat at a login. */
const retryMs = 10_000;

/** The interface of this machine that has an address. Null if it isn't known: a bridge without a container isn't. */
function interfaceOf(address: string): OwnInterface | null {
  for (const [name, list = []] of Object.entries(networkInterfaces())) {
    const found = list.find((one) => one.address === address);
    if (found !== undefined) return { name, network: found.cidr ?? address };
  }
  return null;
}

/**
 * Where the proxy answers besides 127.0.0.1, from one start to its stop: what the settings name, while they do. A place
 * that can't be opened keeps nothing else from working.
 */
export class Places {
  readonly #server: LocalServer;
  readonly #port: number;
  readonly #dependencies: PlacesDependencies;
  readonly #open = new Map<string, Opened>();
  readonly #ended = new AbortController();
  #following: Promise<void> = Promise.resolve();
  #isRetrying = false;

  constructor(server: LocalServer, port: number, dependencies: PlacesDependencies) {
    this.#server = server;
    this.#port = port;
    this.#dependencies = dependencies;
  }

  list(): Place[] {
    return [...this.#open.values()].map(({ place }) => place);
  }

  /** Closes what is no longer wanted, and opens what is. Never rejects. */
  follow(): Promise<void> {
    this.#following = this.#following.then(() => this.#follow());
    return this.#following;
  }

  /** Opens nothing any more. What is open ends with its server. */
  stop(): void {
    this.#ended.abort();
  }

  async #follow(): Promise<void> {
    const { wanted, changed } = this.#dependencies;
    const { socket, address, agreed } = wanted();
    if (this.#ended.signal.aborted) return;
    const before = JSON.stringify(this.list());
    const opens = new Map<string, () => Promise<Opened>>();
    if (socket !== null) opens.set(`socket ${socket}`, () => this.#openSocket(socket));
    if (address !== null)
      opens.set(`address ${address} ${agreed === address}`, () => this.#openAddress(address, agreed));
    for (const [key, { close }] of this.#open) {
      if (opens.has(key)) continue;
      close?.();
      this.#open.delete(key);
    }
    for (const [key, open] of opens) {
      if (this.#ended.signal.aborted) return;
      if (this.#open.get(key)?.close) continue;
      const opened = await open();
      if (this.#ended.signal.aborted) opened.close?.();
      else this.#open.set(key, opened);
    }
    if (JSON.stringify(this.list()) !== before) changed();
    if (this.list().some(({ problem }) => problem !== null)) void this.#retry();
  }

  async #retry(): Promise<void> {
    if (this.#isRetrying) return;
    this.#isRetrying = true;
    await this.#dependencies.clock.sleep(retryMs, this.#ended.signal).catch(() => undefined);
    this.#isRetrying = false;
    if (!this.#ended.signal.aborted) await this.follow();
  }

  async #openSocket(path: string): Promise<Opened> {
    const place = { kind: 'socket', at: path, who: 'your user only', problem: null } as const;
    try {
      await prepareSocket(path);
      const close = await this.#server.openSocket(path);
      closeToOthers(path);
      return { place, close };
    } catch (error) {
      const [text, remedy] =
        error instanceof SocketFileError
          ? [error.message, error.remedy]
          : [
              t('The socket {path} can’t be opened: {code}.', { path, code: codeOf(error) }),
              t('Choose another path in Settings → Proxy.'),
            ];
      return this.#failed(place, { code: 'place-socket', text, remedy });
    }
  }

  async #openAddress(address: string, agreed: string | null): Promise<Opened> {
    const who = whoReaches(address, interfaceOf(address));
    const place = { kind: 'address', at: urlAt(address, this.#port), who, problem: null } as const;
    const code = 'place-address';
    const refused = addressProblem(address);
    if (refused !== null) return this.#failed(place, { code, ...refused });
    if (agreed !== address)
      return this.#failed(place, {
        code,
        text: t('Jumpseat doesn’t listen on {address}: you haven’t agreed that others can reach it.', { address }),
        remedy: t('Set the address in Settings → Proxy, or run "jumpseat serve --address {address}".', { address }),
      });
    try {
      return { place, close: await this.#server.openAddress(address, this.#port) };
    } catch (error) {
      return this.#failed(place, { code, ...this.#whyNotOpen(address, codeOf(error)) });
    }
  }

  #whyNotOpen(address: string, why: string): { text: string; remedy: string } {
    switch (why) {
      case 'EADDRNOTAVAIL':
        return {
          text: t('This machine doesn’t have the address {address} now.', { address }),
          remedy: t('Jumpseat listens on it as soon as it is there. Or enter another address in Settings → Proxy.'),
        };
      case 'EADDRINUSE':
        return {
          text: t('Another program listens on {address} with port {port}.', { address, port: this.#port }),
          remedy: t('End that program, or choose another port.'),
        };
      default:
        return {
          text: t('Jumpseat can’t listen on {address}: {why}.', { address, why }),
          remedy: t('Enter another address in Settings → Proxy.'),
        };
    }
  }

  #failed(place: Place, problem: Problem): Opened {
    this.#dependencies.log.write('warn', problem.code, { text: problem.text });
    return { place: { ...place, problem }, close: null };
  }
}

function codeOf(error: unknown): string {
  if (error instanceof Error && 'code' in error) return String(error.code);
  return error instanceof Error ? error.message : String(error);
}
