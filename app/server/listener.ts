import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type express from 'express';
import { faultFacts } from '../exchange/recover/error.ts';
import type { Clock, Log } from '../ports.ts';
import { answerError, answerTooLarge } from './answer-error.ts';
import { Door, type FoundKey, isDashboard, noteAdmission, type OtherPlace, pathOf } from './door.ts';
import type { CallRoute, Routes } from './express-app.ts';
import { answerChallenge } from './who-answers.ts';

export interface ListenerDependencies {
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
}

/** The door of 127.0.0.1, or of another place. */
export function doorOf(dependencies: ListenerDependencies, port: number, otherPlace?: OtherPlace): Door {
  const { key, sessionOf, namedKey, refusedClient, command, wrongKey } = dependencies;
  const keys = {
    key,
    ...(sessionOf && { sessionOf }),
    ...(namedKey && { namedKey }),
    ...(refusedClient && { refusedClient }),
  };
  return new Door({ port, ...keys, command, ...(wrongKey && { wrongKey }), ...(otherPlace && { otherPlace }) });
}

/** Takes each request: through its door, and to the call that it is for, or to all the rest. */
export class RequestListener {
  /** The server ends. */
  ends = false;
  readonly #dependencies: ListenerDependencies;
  readonly #port: number;
  readonly #door: Door;
  /** The doors of connections that came in another place. */
  readonly #doors: WeakMap<Socket, Door>;
  readonly #calls: ReadonlyMap<string, CallRoute>;
  #app: Promise<express.Express> | null = null;

  constructor(dependencies: ListenerDependencies, port: number, doors: WeakMap<Socket, Door>) {
    this.#dependencies = dependencies;
    this.#port = port;
    this.#door = doorOf(dependencies, port);
    this.#doors = doors;
    this.#calls = new Map((dependencies.calls ?? []).map((call) => [`${call.method} ${call.path}`, call]));
  }

  readonly take = (request: IncomingMessage, response: ServerResponse): void => {
    // Whoever asks a server that ends has to ask anew, and meets the next one.
    if (this.ends) response.shouldKeepAlive = false;
    const path = pathOf(request);
    const call = this.#calls.get(`${request.method} ${path}`);
    const failed = (error: unknown): void => this.#broke(error, request, response);
    if (call === undefined) {
      this.#app ??= this.#loadApp();
      this.#app.then((handle) => handle(request, response)).catch(failed);
    } else if (this.#admit(request, response, path)) {
      const { secret } = this.#dependencies;
      // Programs that ask for it read the port in a file of this machine.
      if (path === '/healthz' && !this.#doors.has(request.socket))
        for (const proof of Object.entries(answerChallenge(secret, this.#port, request))) response.setHeader(...proof);
      call.handle(request, response).catch(failed);
    }
  };

  /** Loaded with the first request for it: it would be an eighth of every start. */
  async #loadApp(): Promise<express.Express> {
    const { expressApp } = await import('./express-app.ts');
    const { calls = [], routes, version } = this.#dependencies;
    return expressApp({
      ...{ calls, routes, version },
      admit: (request, response, path) => this.#admit(request, response, path),
      broke: (error, request, response) => this.#broke(error, request, response),
    });
  }

  /** False: it was refused, and answered. */
  #admit(request: IncomingMessage, response: ServerResponse, path: string): boolean {
    const { clock, log } = this.#dependencies;
    // A client may break off while it is written to; that it left is learnt from 'close'.
    response.on('error', () => {});
    const { accept, authorization, origin, host, 'sec-fetch-site': site, 'x-api-key': apiKey } = request.headers;
    const method = request.method ?? '';
    const requestId = `req_${randomUUID()}`;
    const startedTicks = clock.ticks();
    const verdict = (this.#doors.get(request.socket) ?? this.#door).admit({
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
