import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AnswerSink, type ClientCall, ClientLeft } from '../exchange/client-call.ts';
import type { Exchanger } from '../exchange/exchange.ts';
import { answerError, answerUnread } from './answer-error.ts';
import { BodyBudget, bodyBudget, readBody, silentMs, type Unread } from './body.ts';
import type { RouteError } from './client-api.ts';
import { admission, tooLarge } from './door.ts';
import type { CallRoute } from './express-app.ts';

/** Anthropic's Messages API. The query string (`?beta=true`) says nothing that the headers do not. */
export function messagesRoutes(exchanger: Exchanger, running: RunningCalls): CallRoute[] {
  return [
    {
      method: 'POST',
      path: '/v1/messages',
      handle: (request, response) => take(request, response, running, exchanger.messages),
    },
    {
      method: 'POST',
      path: '/v1/messages/count_tokens',
      handle: (request, response) => take(request, response, running, exchanger.countTokens),
    },
  ];
}

/** OpenAI's APIs, each under its own path and under the one that tools write whose base address ends with `/v1`. */
export function openaiRoutes(exchanger: Exchanger, running: RunningCalls): CallRoute[] {
  const routes = (path: string, serve: (call: ClientCall) => Promise<void>): CallRoute[] =>
    [`/v1${path}`, path].map((path) => ({
      method: 'POST',
      path,
      handle: (request, response) => take(request, response, running, serve),
    }));
  return [
    ...routes('/chat/completions', exchanger.chat),
    ...routes('/responses', exchanger.responses),
    ...routes('/embeddings', exchanger.embeddings),
    ...routes('/alpha/search', exchanger.alphaSearch),
  ];
}

/** An answer over HTTP. After the client has gone nothing is written and nothing waits. */
export class ClientAnswer implements AnswerSink {
  readonly #response: ServerResponse;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  get begun(): boolean {
    return this.#response.headersSent;
  }

  begin(status: number, headers: Record<string, string>): void {
    if (!this.#gone) this.#response.writeHead(status, headers);
  }

  write(bytes: Buffer | string): boolean {
    return this.#gone || this.#response.write(bytes);
  }

  drained(then: () => void): void {
    if (this.#gone) {
      then();
      return;
    }
    const response = this.#response;
    // A client that goes while its buffer is full never drains it.
    const goOn = (): void => {
      response.off('drain', goOn);
      response.off('close', goOn);
      then();
    };
    response.on('drain', goOn);
    response.on('close', goOn);
  }

  /**
   * Corks the socket, which `end` of the response always releases; a corked response would write its end before its
   * last chunk.
   */
  hold(): void {
    if (!this.#gone) this.#response.socket?.cork();
  }

  end(bytes?: Buffer | string): void {
    if (this.#gone) return;
    if (bytes === undefined) this.#response.end();
    else this.#response.end(bytes);
  }

  get #gone(): boolean {
    return this.#response.destroyed || this.#response.writableEnded;
  }
}

/** Reads the body and hands the call over, with a signal that fires when the client leaves. */
export async function take(
  request: IncomingMessage,
  response: ServerResponse,
  running: RunningCalls,
  serve: (call: ClientCall) => Promise<void>,
): Promise<void> {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    answerError(request, response, {
      status: 415,
      type: 'invalid_request_error',
      message: 'Jumpseat: send the body uncompressed.',
    });
    return;
  }
  const controller = new AbortController();
  const isRead = running.reads(controller, admission(request).key);
  const call = await receive(request, response, running, controller.signal).finally(isRead);
  if (call === null) return;
  const bytes = call.body.length;
  running.add(controller, call.key ?? null);
  response.on('close', () => {
    if (!response.writableFinished) controller.abort(new ClientLeft());
  });
  // A client that left while its body was read has closed the answer already.
  if (response.destroyed) controller.abort(new ClientLeft());
  try {
    await serve(call);
  } finally {
    call.letGo();
    running.delete(controller, bytes);
  }
}

/**
 * The call with its body, which nothing else holds: what is let go of is gone. Null: there is none, and the client was
 * told why.
 */
async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  running: RunningCalls,
  signal: AbortSignal,
): Promise<ClientCall | null> {
  const read = await readBody(request, response, running.bodies);
  if (!read.ok) {
    if (read.why === 'busy') response.setHeader('retry-after', String(busyRetrySeconds));
    if (read.why !== 'left') answerUnread(request, response, refusals[read.why]);
    return null;
  }
  const { requestId, client, key, startedAt, startedTicks } = admission(request);
  const { headers } = request;
  const { room } = read;
  const answer = new ClientAnswer(response);
  const call: ClientCall = {
    ...{ client, headers, requestId, startedAt, startedTicks, signal, answer },
    ...(key !== null && { key }),
    body: read.body,
    letGo: () => {
      call.body = noBytes;
      room.release();
    },
  };
  return call;
}

const noBytes = Buffer.alloc(0);
const busyRetrySeconds = 5;

const refusals: Readonly<Record<Exclude<Unread, 'left'>, RouteError>> = {
  'too-large': tooLarge,
  silent: {
    status: 408,
    type: 'invalid_request_error',
    message: `Jumpseat: the body stopped coming for ${silentMs / 1000} s. Send the request again.`,
  },
  busy: {
    status: 503,
    type: 'overloaded_error',
    message:
      `Jumpseat: other requests use all the memory for bodies (${bodyBudget / 1024 / 1024} MiB). ` +
      `Try again in ${busyRetrySeconds} s.`,
  },
};

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
export async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}
