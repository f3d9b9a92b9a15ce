import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { ListenOptions, Socket } from 'node:net';
import { ServerStopping } from '../exchange/client-call.ts';
import { addressPlace, type Door, type OtherPlace, socketPlace } from './door.ts';
import { doorOf, type ListenerDependencies, RequestListener } from './listener.ts';
import { mostConnections } from './open-files.ts';
import { type RunningCalls, within } from './take-call.ts';

interface ServerDependencies extends ListenerDependencies {
  /** Exchanges under way; the server waits for them when it stops. */
  running: RunningCalls;
}

/** Connections that were destroyed are gone at once; no stop hangs on one that is not. */
const closedWithinMs = 2_000;

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
  #listener: RequestListener | null = null;

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
    const listener = new RequestListener(this.#dependencies, address.port, this.#doors);
    this.#listener = listener;
    const early: [IncomingMessage, ServerResponse][] = [];
    const wait = (...call: [IncomingMessage, ServerResponse]): void => void early.push(call);
    server.on('request', wait);
    this.#serve = () => {
      server.off('request', wait);
      server.on('request', listener.take);
      for (const call of early.splice(0)) listener.take(...call);
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
    const door = doorOf(this.#dependencies, 0, otherPlace);
    this.#others.add(server);
    server.on('connection', (socket) => this.#doors.set(socket, door));
    server.on('request', (request, response) => this.#listener?.take(request, response));
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
    if (this.#listener !== null) this.#listener.ends = true;
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
}
