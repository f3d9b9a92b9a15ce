import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import express, { type NextFunction, type Request, type Response } from 'express';
import { ServerStopping } from '../exchange/client-call.ts';
import { faultFacts } from '../exchange/fault.ts';
import type { Clock, Log } from '../ports.ts';
import { BodyBudget } from './body-budget.ts';
import { dialectOf, type RouteError, tellError } from './client-api.ts';
import { Door, isDashboard, tooLarge } from './door.ts';

/** A part of the local server: its routes, put on the router behind the door. */
export type Routes = (router: express.Router) => void;

/**
 * A POST that a program asks for many times an hour. At exactly this path it is served without the router, which costs
 * as much as all that is done with a small request here (measured: a fifth of a request); spelled in another way it
 * finds its way through it.
 */
export interface CallRoute {
  path: string;
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
}

export interface ServerDependencies {
  key: string;
  version: string;
  clock: Clock;
  log: Log;
  calls?: readonly CallRoute[];
  routes: readonly Routes[];
  /** Exchanges under way; the server waits for them when it stops. */
  running: RunningCalls;
}

/** The calls under way, each with the way to end it, and the memory that their bodies share. */
export class RunningCalls {
  readonly bodies: BodyBudget;
  readonly #calls = new Set<AbortController>();
  #idle: (() => void)[] = [];

  constructor(bodies = new BodyBudget()) {
    this.bodies = bodies;
  }

  get count(): number {
    return this.#calls.size;
  }

  add(controller: AbortController): void {
    this.#calls.add(controller);
  }

  delete(controller: AbortController): void {
    this.#calls.delete(controller);
    if (this.#calls.size > 0) return;
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  /** Resolves when nothing runs any more, or after `ms`. */
  async settled(ms: number): Promise<void> {
    if (this.#calls.size === 0) return;
    await within(ms, new Promise<void>((resolve) => this.#idle.push(resolve)));
  }

  abort(reason: Error): void {
    for (const controller of this.#calls) controller.abort(reason);
  }
}

/** Resolves with `work`, or after `ms`. */
async function within(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}

/** Connections that were destroyed are gone at once; no stop hangs on one that is not. */
const closedWithinMs = 2_000;

/** What a route finds on a request that came through the door. */
export interface Admitted {
  requestId: string;
  /** Label of the key; empty on routes that ask for none. */
  client: string;
  startedAt: number;
  startedTicks: number;
}

const admitted = new WeakMap<IncomingMessage, Admitted>();

export function admission(request: IncomingMessage): Admitted {
  const found = admitted.get(request);
  if (found === undefined) throw new Error('A route ran before the door.');
  return found;
}

/** Answers an error in the words of the route's API. */
export function answerError(request: IncomingMessage, response: ServerResponse, error: RouteError): void {
  const { status, body } = errorFor(request, response, error);
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': bytes.length,
  });
  response.end(bytes);
}

/** The error's status and body; its headers are set on the way. */
function errorFor(
  request: IncomingMessage,
  response: ServerResponse,
  error: RouteError,
): { status: number; body: object } {
  const requestId = admitted.get(request)?.requestId ?? `req_${randomUUID()}`;
  const told = tellError(dialectOf(pathOf(request), request.headers), error, requestId);
  if (error.shouldRetry === false) response.setHeader('x-should-retry', 'false');
  response.setHeader(told.idHeader, requestId);
  return told;
}

/** Without the query. A target is a path unless somebody writes a whole address there. */
function pathOf({ url = '/' }: IncomingMessage): string {
  if (!url.startsWith('/')) return URL.parse(url)?.pathname ?? url;
  const query = url.indexOf('?');
  return query < 0 ? url : url.slice(0, query);
}

const lingerMs = 5000;

/** Refuses a body that is too large and closes. */
export function answerTooLarge(request: IncomingMessage, response: ServerResponse): void {
  answerUnread(request, response, tooLarge);
}

/**
 * Refuses a request whose body was not read to its end and closes. What is still on its way is read and thrown away for
 * a while first: a socket that is closed with unread bytes is reset, and the client would never see why.
 */
export function answerUnread(request: IncomingMessage, response: ServerResponse, error: RouteError): void {
  const { status, body: said } = errorFor(request, response, error);
  const body = Buffer.from(JSON.stringify(said));
  response.writeHead(status, {
    connection: 'close',
    'content-type': 'application/json',
    'content-length': body.length,
  });
  response.write(body);
  const finish = (): void => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(finish, lingerMs);
  if (request.closed) finish();
  else request.on('close', finish);
  request.resume();
}

/** The local server, on 127.0.0.1 alone. One object for one life: started once, stopped once. */
export class LocalServer {
  readonly #dependencies: ServerDependencies;
  #server: Server | null = null;
  #serve: () => void = () => undefined;

  constructor(dependencies: ServerDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Binds the port (0: a free one) and resolves with it; what comes in waits for `serve`. Rejects with Node's error,
   * `EADDRINUSE` and `EACCES` among them.
   */
  async listen(port: number): Promise<number> {
    const server = createServer();
    // A long upload or a long answer is no fault; only the head of a request has to come soon.
    server.requestTimeout = 0;
    server.keepAliveTimeout = 75_000;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host: '127.0.0.1', port, exclusive: true }, () => {
        server.off('error', reject);
        resolve();
      });
    });
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('The server has no port.');
    const listener = this.#listener(address.port);
    const early: [IncomingMessage, ServerResponse][] = [];
    const wait = (...call: [IncomingMessage, ServerResponse]): void => void early.push(call);
    server.on('request', wait);
    this.#serve = () => {
      server.off('request', wait);
      server.on('request', listener);
      for (const call of early.splice(0)) listener(...call);
    };
    server.on('error', (error) => this.#dependencies.log.write('error', 'server.error', { message: error.message }));
    this.#server = server;
    return address.port;
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
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    await running.settled(graceMs);
    running.abort(new ServerStopping());
    await running.settled(1000);
    server.closeAllConnections();
    await within(closedWithinMs, closed);
    // What came in at the last moment has lost its client now; its row still has to be written.
    await running.settled(1000);
  }

  #listener(port: number): (request: IncomingMessage, response: ServerResponse) => void {
    const { key, calls = [] } = this.#dependencies;
    const door = new Door({ port, key });
    const app = this.#app(door);
    const direct = new Map(calls.map((call) => [call.path, call]));
    return (request, response) => {
      const path = pathOf(request);
      const call = request.method === 'POST' ? direct.get(path) : undefined;
      if (call === undefined) app(request, response);
      else if (this.#admit(door, request, response, path))
        call.handle(request, response).catch((error: unknown) => this.#broke(error, request, response));
    };
  }

  /** False: it was refused, and answered. */
  #admit(door: Door, request: IncomingMessage, response: ServerResponse, path: string): boolean {
    const { clock, log } = this.#dependencies;
    // A client may break off while it is written to; that it left is learnt from 'close'.
    response.on('error', () => {});
    const { authorization, origin, host, 'sec-fetch-site': site } = request.headers;
    const method = request.method ?? '';
    const requestId = `req_${randomUUID()}`;
    const startedTicks = clock.ticks();
    const verdict = door.admit({
      path,
      method,
      host,
      origin,
      site,
      authorization,
      contentLength: request.headers['content-length'],
    });
    admitted.set(request, {
      requestId,
      client: verdict.ok ? (verdict.client ?? '') : '',
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
        message: 'Jumpseat: Internal error. The log of Jumpseat says more.',
      });
  }

  #app(door: Door): express.Express {
    const { calls = [], routes, version } = this.#dependencies;
    const app = express();
    app.disable('x-powered-by');
    app.disable('etag');
    app.set('query parser', false);

    app.use((request: Request, response: Response, next: NextFunction) => {
      if (this.#admit(door, request, response, request.path)) next();
    });

    const router = express.Router({ caseSensitive: true });
    router.head(['/', '/api/hello'], (_request, response) => {
      response.setHeader('x-jumpseat', version);
      response.status(200).end();
    });
    for (const { path, handle } of calls) router.post(path, handle);
    for (const add of routes) add(router);
    refuseOtherMethods(router);
    app.use(router);
    app.use((request: Request, response: Response) => {
      answerError(request, response, {
        status: 404,
        type: 'not_found_error',
        message: `No route for ${request.method} ${request.path}`,
      });
    });
    app.use((error: unknown, request: Request, response: Response, _next: NextFunction) => {
      if (error instanceof URIError && !response.headersSent) {
        answerError(request, response, {
          status: 400,
          type: 'invalid_request_error',
          message: 'Jumpseat: the path holds an escape that means no character. Encode it in UTF-8.',
        });
        return;
      }
      this.#broke(error, request, response);
    });
    return app;
  }
}

/** A path that exists answers other methods with 405 and the ones it takes. */
function refuseOtherMethods(router: express.Router): void {
  const methods = new Map<string, Set<string>>();
  for (const { route } of router.stack) {
    if (route === undefined) continue;
    for (const path of [route.path].flat()) {
      const known = methods.get(path) ?? new Set<string>();
      for (const each of route.stack) known.add(each.method.toUpperCase());
      methods.set(path, known);
    }
  }
  for (const [path, known] of methods) {
    const takes = [...known].join(', ');
    router.all(path, (request, response) => {
      response.setHeader('allow', takes);
      answerError(request, response, {
        status: 405,
        type: 'invalid_request_error',
        message: `Jumpseat: ${request.path} takes ${takes}, not ${request.method}.`,
      });
    });
  }
}
