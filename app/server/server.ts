import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { ListenOptions, Socket } from 'node:net';
import type express from 'express';
import { ServerStopping } from '../exchange/client-call.ts';
import { faultFacts } from '../exchange/recover/error.ts';
import type { Clock, Log } from '../ports.ts';
import { answerError, answerTooLarge } from './answer-error.ts';
import { BodyBudget } from './body.ts';
import {
  addressPlace,
  Door,
  type FoundKey,
  isDashboard,
  noteAdmission,
  type OtherPlace,
  pathOf,
  socketPlace,
} from './door.ts';
import { mostConnections } from './open-files.ts';
import type { CallRoute, Routes } from './routes.ts';
import { answerChallenge } from './who-answers.ts';

interface ServerDependencies {
  key: string;
  /** Secret with which `/healthz` proves that this server, and no other program, has the port. */
  secret: string;
  /** The hosted session whose key it is. */
  sessionOf?: (key: string) => string | null;
  namedKey?: (key: string) => FoundKey | null;
  /** Called with the name after a key that doesn't open. */
  refusedClient?: (client: string) => void;
  command?: string | undefined;
  /** Answer to a wrong key, if the lines with the right one are not the app's. */
  wrongKey?: string;
  version: string;
  clock: Clock;
  log: Log;
  calls?: readonly CallRoute[];
  routes: readonly Routes[];
  /** Exchanges under way; the server waits for them when it stops. */
  running: RunningCalls;
}

/** Memory of unused bodies is returned once they have this many bytes. */
const worthCollecting = 32 * 1024 * 1024;
/** A client that has more to ask does it sooner. */
const quietMs = 1_000;

/** The calls under way, each with the way to end it, and the memory that their bodies share. */
export class RunningCalls {
  readonly bodies: BodyBudget;
  readonly #collectGarbage: () => void;
  /** Each with the name of its key; null: the first, or a session's. */
  readonly #calls = new Map<AbortController, string | null>();
  /** Those whose bodies still come in, likewise. Nothing waits for them. */
  readonly #reading = new Map<AbortController, string | null>();
  #idle: (() => void)[] = [];
  /** Bytes of bodies since garbage was collected. */
  #garbage = 0;
  #quiet: NodeJS.Timeout | undefined;

  /** `collectGarbage` may take long: it is called while nothing runs. */
  constructor(bodies = new BodyBudget(), collectGarbage = (): void => undefined) {
    this.bodies = bodies;
    this.#collectGarbage = collectGarbage;
  }

  get count(): number {
    return this.#calls.size;
  }

  /** Until `add`, or until its body can't be read. Returns the way to forget it. */
  reads(controller: AbortController, key: string | null): () => void {
    this.#reading.set(controller, key);
    return () => this.#reading.delete(controller);
  }

  add(controller: AbortController, key: string | null): void {
    clearTimeout(this.#quiet);
    this.#calls.set(controller, key);
  }

  /** `bytes`: of its body. */
  delete(controller: AbortController, bytes: number): void {
    this.#calls.delete(controller);
    this.#garbage += bytes;
    if (this.#calls.size > 0) return;
    for (const resolve of this.#idle.splice(0)) resolve();
    if (this.#garbage < worthCollecting) return;
    this.#quiet = setTimeout(() => {
      this.#garbage = 0;
      this.#collectGarbage();
    }, quietMs).unref();
  }

  /** Resolves when nothing runs any more, or after `ms`. */
  async settled(ms: number): Promise<void> {
    if (this.#calls.size === 0) return;
    await within(ms, new Promise<void>((resolve) => this.#idle.push(resolve)));
  }

  abort(reason: Error): void {
    for (const controller of this.#calls.keys()) controller.abort(reason);
  }

  /** Ends those that came with the key of this name. */
  endOf(key: string, reason: Error): void {
    for (const [controller, name] of [...this.#calls, ...this.#reading]) if (name === key) controller.abort(reason);
  }
}

/** Resolves with `work`, or after `ms`. */
async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}

/** Connections that were destroyed are gone at once; no stop hangs on one that is not. */
const closedWithinMs = 2_000;

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * The local server, on 127.0.0.1, and in other places that are opened one by one. One object for one life: started
 * once, stopped once.
 */
export class LocalServer {
  readonly #dependencies: ServerDependencies;
  #server: Server | null = null;
  readonly #others = new Set<Server>();
  /** The doors of connections that came in another place. */
  readonly #doors = new WeakMap<Socket, Door>();
  #serve: () => void = () => undefined;
  #listener: Listener = () => undefined;

  constructor(dependencies: ServerDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Binds the port (0: a free one) and resolves with it; what comes in waits for `serve`. Rejects with Node's error,
   * `EADDRINUSE` and `EACCES` among them.
   */
  async listen(port: number): Promise<number> {
    const server = await this.#bind({ host: '127.0.0.1', port, exclusive: true });
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('The server has no port.');
    const listener = this.#makeListener(address.port);
    this.#listener = listener;
    const early: [IncomingMessage, ServerResponse][] = [];
    const wait = (...call: [IncomingMessage, ServerResponse]): void => void early.push(call);
    server.on('request', wait);
    this.#serve = () => {
      server.off('request', wait);
      server.on('request', listener);
      for (const call of early.splice(0)) listener(...call);
    };
    this.#server = server;
    return address.port;
  }

  /** Answers on this socket as well. Rejects with Node's error. Returns the way to stop. */
  openSocket(path: string): Promise<() => void> {
    return this.#open({ path }, socketPlace);
  }

  /** The same on one more address of this machine. */
  openAddress(address: string, port: number): Promise<() => void> {
    return this.#open({ host: address, port, exclusive: true }, addressPlace(address, port));
  }

  async #open(place: ListenOptions, otherPlace: OtherPlace): Promise<() => void> {
    const server = await this.#bind(place);
    const door = this.#door(0, otherPlace);
    this.#others.add(server);
    server.on('connection', (socket) => this.#doors.set(socket, door));
    server.on('request', (request, response) => this.#listener(request, response));
    return () => {
      this.#others.delete(server);
      server.close();
      server.closeAllConnections();
    };
  }

  async #bind(place: ListenOptions): Promise<Server> {
    const server = createServer();
    // A long upload or a long answer is no fault; only the head of a request has to come soon.
    server.requestTimeout = 0;
    server.keepAliveTimeout = 75_000;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(place, () => {
        server.off('error', reject);
        resolve();
      });
    });
    this.#bound(server);
    server.on('error', (error) => this.#dependencies.log.write('error', 'server.error', { message: error.message }));
    return server;
  }

  /** One line in the log for all connections that are refused in a row. */
  #bound(server: Server): void {
    const most = mostConnections();
    if (most === null) return;
    server.maxConnections = most;
    let isSaid = false;
    server.on('drop', () => {
      if (!isSaid)
        this.#dependencies.log.write('error', 'server.connections-refused', { most, remedy: 'ulimit -n 1024' });
      isSaid = true;
    });
    server.on('connection', () => {
      isSaid = false;
    });
  }

  /** Answers from now on. */
  serve(): void {
    this.#serve();
  }

  /**
   * Takes no new connections, lets running answers finish for `graceMs`, then ends them with their error event, and
   * closes. Idle connections are closed at once.
   */
  async stop(graceMs: number): Promise<void> {
    const server = this.#server;
    if (server === null) return;
    this.#server = null;
    const { running } = this.#dependencies;
    const servers = [server, ...this.#others];
    const closed = Promise.all(servers.map((one) => new Promise<void>((resolve) => one.close(() => resolve()))));
    await running.settled(graceMs);
    running.abort(new ServerStopping());
    await running.settled(1000);
    for (const one of servers) one.closeAllConnections();
    await within(closedWithinMs, closed);
    // What came in at the last moment has lost its client now; its row still has to be written.
    await running.settled(1000);
  }

  #door(port: number, otherPlace?: OtherPlace): Door {
    const { key, sessionOf, namedKey, refusedClient, command, wrongKey } = this.#dependencies;
    const keys = {
      key,
      ...(sessionOf && { sessionOf }),
      ...(namedKey && { namedKey }),
      ...(refusedClient && { refusedClient }),
    };
    return new Door({ port, ...keys, command, ...(wrongKey && { wrongKey }), ...(otherPlace && { otherPlace }) });
  }

  #makeListener(port: number): Listener {
    const { secret, calls = [] } = this.#dependencies;
    const door = this.#door(port);
    const direct = new Map(calls.map((call) => [`${call.method} ${call.path}`, call]));
    let app: Promise<express.Express> | null = null;
    return (request, response) => {
      // Whoever asks a server that ends has to ask anew, and meets the next one.
      if (this.#server === null) response.shouldKeepAlive = false;
      const path = pathOf(request);
      const call = direct.get(`${request.method} ${path}`);
      const failed = (error: unknown): void => this.#broke(error, request, response);
      if (call === undefined) {
        app ??= this.#app(door);
        app.then((handle) => handle(request, response)).catch(failed);
      } else if (this.#admit(door, request, response, path)) {
        // Programs that ask for it read the port in a file of this machine.
        if (path === '/healthz' && !this.#doors.has(request.socket))
          for (const proof of Object.entries(answerChallenge(secret, port, request))) response.setHeader(...proof);
        call.handle(request, response).catch(failed);
      }
    };
  }

  /** Loaded with the first request for it: it would be an eighth of every start. */
  async #app(door: Door): Promise<express.Express> {
    const { expressApp } = await import('./express-app.ts');
    const { calls = [], routes, version } = this.#dependencies;
    return expressApp({
      ...{ calls, routes, version },
      admit: (request, response, path) => this.#admit(door, request, response, path),
      broke: (error, request, response) => this.#broke(error, request, response),
    });
  }

  /** False: it was refused, and answered. */
  #admit(door: Door, request: IncomingMessage, response: ServerResponse, path: string): boolean {
    const { clock, log } = this.#dependencies;
    // A client may break off while it is written to; that it left is learnt from 'close'.
    response.on('error', () => {});
    const { accept, authorization, origin, host, 'sec-fetch-site': site, 'x-api-key': apiKey } = request.headers;
    const method = request.method ?? '';
    const requestId = `req_${randomUUID()}`;
    const startedTicks = clock.ticks();
    const verdict = (this.#doors.get(request.socket) ?? door).admit({
      path,
      method,
      host,
      origin,
      site,
      accept,
      authorization,
      apiKey: typeof apiKey === 'string' ? apiKey : undefined,
      contentLength: request.headers['content-length'],
    });
    noteAdmission(request, {
      requestId,
      client: verdict.ok ? (verdict.client ?? '') : '',
      key: verdict.ok ? verdict.key : null,
      startedAt: clock.now(),
      startedTicks,
    });
    if (verdict.ok) return true;
    log.write('info', 'door.refused', { status: verdict.status, path: isDashboard(path) ? '/ui' : path, method });
    if (verdict.status === 413) answerTooLarge(request, response);
    else answerError(request, response, verdict);
    return false;
  }

  #broke(error: unknown, request: IncomingMessage, response: ServerResponse): void {
    this.#dependencies.log.write('error', 'route.broke', { ...faultFacts(error) });
    if (response.headersSent) response.destroy();
    else
      answerError(request, response, {
        status: 500,
        type: 'api_error',
        message: 'Jumpseat: Internal error. Jumpseat’s log has the details.',
      });
  }
}
