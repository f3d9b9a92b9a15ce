import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { contract } from '../api/contract.ts';
import { type ProxyState, StartError } from '../api/state.ts';
import { ServerStopping } from '../exchange/client-call.ts';
import { t } from '../language/translate.ts';
import { type Clock, fullDisk, type Log, type Paths } from '../ports.ts';
import { FileWatch } from '../settings/files.ts';
import { DashboardDoor } from './dashboard-routes.ts';
import type { CallRoute, Routes } from './express-app.ts';
import { answers, isTaken, LockError, renewLock, takeLock } from './lock.ts';
import type { NamedKeys } from './named-keys.ts';
import { noFileLeft } from './open-files.ts';
import { Places, type WantedPlaces } from './places.ts';
import { portHolder } from './port-holder.ts';
import type { RefusedClients } from './refused-clients.ts';
import { LocalServer } from './server.ts';
import type { SessionKeyRing } from './session-key-ring.ts';
import type { RunningCalls } from './take-call.ts';
import { type LockOwner, newSecret, readLock, whoAnswers } from './who-answers.ts';

const defaultGraceMs = 10_000;
/** How often a start looks whether its obstacle is gone: nothing reports a killed process. */
const obstacleMs = 1_000;

interface LocalProxyDependencies {
  version: string;
  clock: Clock;
  log: Log;
  paths: Paths;
  running: RunningCalls;
  /** The local key, which clients show. */
  key(): Promise<string>;
  sessionKeys: Pick<SessionKeyRing, 'sessionOf'>;
  namedKeys: Pick<NamedKeys, 'keyOf'>;
  refusedClients: RefusedClients;
  /** Where it is to answer besides 127.0.0.1. */
  wantedPlaces(): WantedPlaces;
  /** Why nothing may be served: the organization's rules can't be read. */
  refusal(): { message: string; remedy: string } | null;
  /** How a person starts this Jumpseat in a shell; `jumpseat` unless given. */
  command?: string | undefined;
  /** All routes; the dashboard's are behind that door. */
  calls: readonly CallRoute[];
  routes(door: DashboardDoor): readonly Routes[];
  /** `state` is another one now. */
  changed(): void;
  /** Called once it listens, before that is reported. */
  started(): void;
  /** Called once it no longer listens and no answer runs. */
  stopped(): void;
}

/** Where a front finds what it started. */
interface Listening {
  baseUrl: string;
  /** Lets one browser in, once, within a day. */
  dashboardUrl: string;
  /** Resolves when it did. */
  dashboardUsed: Promise<void>;
}

/** What listens, with what to release when it stops. */
interface Serving {
  server: LocalServer;
  port: number;
  baseUrl: string;
  door: DashboardDoor;
  places: Places;
  release: () => void;
  /** Writes the lock anew where it was damaged or deleted. Null if it isn't watched. */
  watch: FileWatch | null;
}

/** The local server from one start to the next: its port, the lock of its folder, and the order of starts and stops. */
export class LocalProxy {
  readonly #dependencies: LocalProxyDependencies;
  #serving: Serving | null = null;
  #starting: Promise<Listening> | null = null;
  #stopping: Promise<void> | null = null;
  /** Counts stops: a start that was waiting for its port must not go on after one. */
  #stops = 0;
  #state: ProxyState = { kind: 'off' };
  /** Ends the looks for what is in the way. */
  #looking: AbortController | null = null;

  constructor(dependencies: LocalProxyDependencies) {
    this.#dependencies = dependencies;
  }

  get state(): ProxyState {
    return this.#state;
  }

  /** Serves nothing while the organization's rules can't be read, and goes on once they can. */
  async followRules(): Promise<void> {
    const serving = this.#serving;
    if (this.#dependencies.refusal() !== null && serving !== null) {
      await this.stop();
      await this.start(serving.port).catch(() => undefined);
    } else if (this.#dependencies.refusal() === null && isRefused(this.#state)) {
      await this.start(this.#state.port).catch(() => undefined);
    }
  }

  /** Opens and closes what the settings name besides 127.0.0.1. */
  async followPlaces(): Promise<void> {
    await this.#serving?.places.follow();
  }

  /** Null while nothing listens. */
  get serving(): { port: number; baseUrl: string } | null {
    return this.#serving;
  }

  /** What listens already stays. Rejects with a `StartError`. */
  start(port: number): Promise<Listening> {
    if (this.#serving !== null) {
      const { baseUrl, door } = this.#serving;
      return Promise.resolve(listening(baseUrl, door));
    }
    this.#starting ??= this.#startAfterStop(port).finally(() => {
      this.#starting = null;
    });
    return this.#starting;
  }

  /** Lets running answers finish for `graceMs`, then ends them. Asked again while it waits, the shorter wait holds. */
  async stop(graceMs = defaultGraceMs): Promise<void> {
    this.#stops += 1;
    if (this.#stopping !== null) return this.#hasten(this.#stopping, graceMs);
    // Without a start under way nothing may come between: a start of the same moment has to wait for this stop.
    if (this.#starting !== null) await this.#starting.catch(() => undefined);
    const serving = this.#serving;
    if (serving === null) {
      // What failed to start is off when it is switched off.
      if (this.#state.kind === 'failed') this.#become({ kind: 'off' });
      return this.#stopping ?? undefined;
    }
    this.#serving = null;
    this.#become({ kind: 'stopping', port: serving.port });
    this.#stopping = this.#end(serving, graceMs).finally(() => {
      this.#stopping = null;
    });
    return this.#stopping;
  }

  /**
   * For somebody who looks: where another Jumpseat had the folder, or a program the port, and has ended, this one is
   * off, no more in its way. Where the disk was full and has room again, it starts.
   */
  async lookAgain(): Promise<void> {
    const state = this.#state;
    if (state.kind === 'failed' && state.code === 'disk-full') {
      if ((await hasRoom(this.#dependencies.paths.home)) && this.#state === state)
        await this.start(state.port).catch(() => undefined);
      return;
    }
    const isInTheWay = isElsewhere(state)
      ? await hasOwner(this.#dependencies.paths.lock)
      : !isPortTaken(state) || (await isHeld(state.port));
    if (!isInTheWay && this.#state === state) this.#become({ kind: 'off' });
  }

  /** What is only read at a start is in force at once, on the same port; nothing where nothing listens. */
  async restart(graceMs = defaultGraceMs): Promise<void> {
    const serving = this.#serving;
    if (serving === null) return;
    await this.stop(graceMs);
    await this.start(serving.port);
  }

  async #startAfterStop(port: number): Promise<Listening> {
    const stops = this.#stops;
    this.#become({ kind: 'starting', port });
    try {
      await this.#stopping;
      return await this.#begin(port, stops);
    } catch (error) {
      if (error instanceof StartError && error.code !== 'stopped') {
        this.#become({ kind: 'failed', port, code: error.code, reason: error.message, remedy: error.remedy });
      } else this.#become({ kind: 'off' });
      throw error;
    }
  }

  async #begin(port: number, stops: number): Promise<Listening> {
    const { version, clock, log, paths, running, calls, routes, sessionKeys, namedKeys, command } = this.#dependencies;
    const refusal = this.#dependencies.refusal();
    if (refusal !== null) throw new StartError('policy', refusal.message, refusal.remedy);
    const key = await this.#dependencies.key();
    const secret = newSecret();
    const door = new DashboardDoor(clock, secret);
    const server = new LocalServer({
      sessionOf: (given) => sessionKeys.sessionOf(given),
      namedKey: (given) => namedKeys.keyOf(given),
      refusedClient: (client) => this.#dependencies.refusedClients.note(client, clock.now()),
      ...{ key, secret, command, version, clock, log, running, calls },
      routes: routes(door),
    });
    const bound = await this.#bind(port, () => server.listen(port));
    const isWanted = (): boolean => stops === this.#stops;
    const owner = { pid: process.pid, port: bound, secret, ...(contract !== null && { contract }) };
    const lock = await takeLock(paths.lock, owner, isWanted).catch(async (error: unknown) => {
      await server.stop(0);
      throw unusableHome(paths.home, error);
    });
    if (!lock.ok || !isWanted()) await server.stop(0);
    if (!isWanted()) {
      if (lock.ok) lock.release();
      throw new StartError('stopped', t('The proxy was turned off while it was starting.'), t('Turn it on again.'));
    }
    if (!lock.ok) {
      if (lock.owner !== null && lock.isAnswering) throw alreadyRunning(lock.owner);
      throw notAnswering(paths.home, lock.owner);
    }
    if (lock.unheld !== null) log.write('warn', 'lock.not-held', { why: lock.unheld });
    const baseUrl = `http://127.0.0.1:${bound}`;
    // Without the system's lock the file may be another owner's by now.
    const watch = lock.unheld === null ? this.#watchLock(owner) : null;
    const places = new Places(server, bound, {
      ...{ clock, log, wanted: () => this.#dependencies.wantedPlaces() },
      changed: () => {
        if (this.#state.kind === 'on' && this.#serving?.places === places) this.#become(on(bound, baseUrl, places));
      },
    });
    this.#serving = { server, port: bound, baseUrl, door, places, release: lock.release, watch };
    this.#dependencies.started();
    // Not before the folder is ours: another one may still write in it.
    server.serve();
    await places.follow();
    if (this.#serving?.places === places) this.#become(on(bound, baseUrl, places));
    return listening(baseUrl, door);
  }

  /** Throws a `StartError` if the proxy could not move to the port now. What listens stays as it is. */
  async tryPort(port: number): Promise<void> {
    const stays = this.#serving?.port;
    try {
      await this.#bind(port, () => listenOnce(port));
    } catch (error) {
      if (!(error instanceof StartError) || stays === undefined) throw error;
      throw new StartError(
        error.code,
        error.message,
        t('Choose another port. The proxy stays on port {port}.', { port: String(stays) }),
      );
    }
  }

  async #bind<Bound>(port: number, listen: () => Promise<Bound>): Promise<Bound> {
    try {
      return await listen();
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : null;
      if (code === 'EADDRINUSE') throw await this.#explainTaken(port);
      if (code === 'EACCES') {
        throw new StartError(
          'port-refused',
          t('The system doesn’t allow port {port}.', { port }),
          t('Choose a port from 1024 to 65535.'),
        );
      }
      if (code === 'EMFILE' || code === 'ENFILE') {
        const { text, remedy } = noFileLeft(code);
        throw new StartError('port-refused', text, remedy);
      }
      const why = error instanceof Error ? error.message : String(error);
      throw new StartError(
        'port-refused',
        t('Port {port} can’t be used: {why}.', { port, why }),
        t('Choose another port with --port or JUMPSEAT_PORT.'),
      );
    }
  }

  async #explainTaken(port: number): Promise<StartError> {
    const { lock, home } = this.#dependencies.paths;
    const owner = readLock(lock);
    if (owner === null && isTaken(lock)) return notAnswering(home, null);
    if (owner !== null && owner.port === port) {
      if (await answers(owner)) return alreadyRunning(owner);
      if (isTaken(lock)) return notAnswering(home, owner);
    }
    const holder = portHolder(port);
    // Any window of a desktop's program may be that: only it can say whether it is ours.
    const isOurs = holder?.name === 'electron' && (await whoAnswers({ port }, 1_000)) === 'jumpseat';
    return portTaken(port, holder && isOurs ? { ...holder, name: t('another Jumpseat') } : holder);
  }

  async #end(serving: Serving, graceMs: number): Promise<void> {
    serving.watch?.close();
    serving.places.stop();
    await serving.server.stop(graceMs);
    // Before another one may write in the folder.
    this.#dependencies.stopped();
    serving.release();
    // A start that waits for this stop has said so already.
    if (this.#state.kind === 'stopping') this.#become({ kind: 'off' });
  }

  /** Shortens a stop that waits for running answers to `graceMs` from now. */
  async #hasten(stopping: Promise<void>, graceMs: number): Promise<void> {
    const { running } = this.#dependencies;
    await Promise.race([stopping, running.settled(graceMs)]);
    if (this.#stopping === stopping) running.abort(new ServerStopping());
    await stopping;
  }

  #become(state: ProxyState): void {
    this.#state = state;
    this.#looking?.abort();
    this.#looking = null;
    if (isElsewhere(state) || isPortTaken(state) || isDiskFull(state)) void this.#lookWhileInTheWay();
    this.#dependencies.changed();
  }

  async #lookWhileInTheWay(): Promise<void> {
    const { clock, log } = this.#dependencies;
    const looking = new AbortController();
    this.#looking = looking;
    while (!looking.signal.aborted) {
      try {
        await clock.sleep(obstacleMs, looking.signal);
        await this.lookAgain();
      } catch (error) {
        if (!looking.signal.aborted) log.write('debug', 'proxy.not-looked-again', { error });
        return;
      }
    }
  }

  /** The file `lock` says to every command where this one is. */
  #watchLock(owner: LockOwner): FileWatch {
    const { paths, log } = this.#dependencies;
    const renew = (): void => {
      try {
        renewLock(paths.lock, owner);
      } catch (error) {
        log.write('warn', 'lock.not-renewed', { error });
      }
    };
    return new FileWatch(paths.lock, renew, { settleMs: 0, log });
  }
}

type Failed = Extract<ProxyState, { kind: 'failed' }>;

const isElsewhere = (state: ProxyState): boolean =>
  state.kind === 'failed' && (state.code === 'already-running' || state.code === 'not-answering');
const isRefused = (state: ProxyState): state is Failed => state.kind === 'failed' && state.code === 'policy';
const isPortTaken = (state: ProxyState): state is Failed => state.kind === 'failed' && state.code === 'port-taken';
const isDiskFull = (state: ProxyState): boolean => state.kind === 'failed' && state.code === 'disk-full';

/** More than the lock and new databases take. */
const roomBytes = 500_000;

/** Whether a file of `roomBytes` can be written in the folder. */
async function hasRoom(folder: string): Promise<boolean> {
  const probe = join(folder, `room-${process.pid}`);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(probe, Buffer.alloc(roomBytes), { mode: 0o600 });
    return true;
  } catch {
    return false;
  } finally {
    await rm(probe, { force: true }).catch(() => undefined);
  }
}

async function hasOwner(lock: string): Promise<boolean> {
  if (isTaken(lock)) return true;
  const owner = readLock(lock);
  return owner !== null && (await answers(owner));
}

/** Whether a program listens on the port. It isn't spoken to. */
const isHeld = (port: number): Promise<boolean> =>
  listenOnce(port).then(
    () => false,
    () => true,
  );

/** Listens on the port and lets it go. Rejects where it can't be used. */
function listenOnce(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on('error', reject);
    probe.listen({ host: '127.0.0.1', port, exclusive: true }, () => probe.close(() => resolve()));
  });
}

function on(port: number, baseUrl: string, places: Places): ProxyState {
  const list = places.list();
  return { kind: 'on', port, baseUrl, ...(list.length > 0 && { places: list }) };
}

function listening(baseUrl: string, door: DashboardDoor): Listening {
  const { url, used } = door.link(baseUrl);
  return { baseUrl, dashboardUrl: url, dashboardUsed: used };
}

/** @param holder the program that listens there; null if that isn't known */
export function portTaken(port: number, holder: ReturnType<typeof portHolder>): StartError {
  const who =
    holder === null ? t('another program') : t('{program} (pid {pid})', { program: holder.name, pid: holder.pid });
  return new StartError(
    'port-taken',
    t('Port {port} is in use by {who}.', { port, who }),
    t('Stop that program, or choose another port with --port or JUMPSEAT_PORT.'),
  );
}

function alreadyRunning(owner: LockOwner): StartError {
  return new StartError(
    'already-running',
    t('Another Jumpseat is already running (pid {pid}) at http://127.0.0.1:{port}.', {
      pid: owner.pid,
      port: owner.port,
    }),
    t(
      'Claude Code works through it. To use this Jumpseat instead, stop the other first. To run both, give one ' +
        'its own JUMPSEAT_HOME.',
    ),
  );
}

function notAnswering(home: string, owner: LockOwner | null): StartError {
  if (owner === null)
    return new StartError(
      'not-answering',
      t('The folder {home} belongs to a Jumpseat that runs, but its file "lock" there can’t be read.', { home }),
      t('Use the running Jumpseat, or quit it and start again.'),
    );
  return new StartError(
    'not-answering',
    t('The folder {home} belongs to Jumpseat with pid {pid}, which is there but doesn’t answer.', {
      home,
      pid: owner.pid,
    }),
    t('Let it go on where it was stopped ("fg" in its terminal), or end it; then start again.'),
  );
}

function unusableHome(home: string, error: unknown): StartError {
  if (error instanceof LockError) return new StartError('home-unusable', error.message, error.remedy);
  const why = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  const full = fullDisk(error, home);
  if (full !== null)
    return new StartError(
      'disk-full',
      full.text,
      t('Free some space there, or set JUMPSEAT_HOME to a folder on another disk.'),
    );
  if (why === 'EMFILE' || why === 'ENFILE') {
    const { text, remedy } = noFileLeft(why);
    return new StartError('home-unusable', text, remedy);
  }
  return new StartError(
    'home-unusable',
    t('The folder {home} can’t be written ({why}).', { home, why }),
    t('Make it writable for your user, or set JUMPSEAT_HOME to another folder.'),
  );
}
