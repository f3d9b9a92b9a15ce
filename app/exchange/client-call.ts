import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { parseRequestJson, RepeatedKey } from '../formats/wire/json.ts';
import { parseInSlices } from '../formats/wire/json-bytes.ts';
import { t } from '../language/translate.ts';
import { type ClientError, type ErrorWords, type ReportedError, refuse, Stopped } from './recover/error.ts';

/** One request that came through the door, and the way back to who sent it. */
export interface ClientCall {
  /** The label of the key it came with. */
  client: string;
  /** The name of the key; absent: the first one, or a session's. */
  key?: string;
  headers: IncomingHttpHeaders;
  /** Empty once it was released. */
  body: Buffer;
  /** Our own id of this request; the client gets it in a header and in every error. */
  requestId: string;
  startedAt: number;
  /** `Clock.ticks()` at the first look at the request. */
  startedTicks: number;
  /** Aborted when the client left, or by the server with an `EndedHere`. */
  signal: AbortSignal;
  answer: AnswerSink;
  /** The body is not needed any more: its memory is for others. */
  letGo(): void;
}

/** The answer to a client. Who holds it writes in this order: `begin`, any number of `write`, `end`. */
export interface AnswerSink {
  readonly begun: boolean;
  begin(status: number, headers: Record<string, string>): void;
  /** False: wait for `drained` before writing more. */
  write(bytes: Buffer | string): boolean;
  drained(then: () => void): void;
  /** Buffers what is written until `end`, which comes in the same turn: one write to the socket less. */
  hold(): void;
  end(bytes?: Buffer | string): void;
}

/** Why a signal was aborted when the client closed its connection. */
export class ClientLeft extends Error {
  override readonly name = 'ClientLeft';
  constructor() {
    super('The client closed the connection.');
  }
}

/** Why a signal was aborted while the client is still there. */
export abstract class EndedHere extends Error {}

/** Why a signal was aborted when the key that the request came with was revoked. */
export class KeyRevoked extends EndedHere {
  override readonly name = 'KeyRevoked';
  constructor(key: string) {
    super(t('Jumpseat: the key “{key}” was revoked while this request was running. Use another key.', { key }));
  }
}

/** Why a signal was aborted when the proxy is switched off and the time for running answers is over. */
export class ServerStopping extends EndedHere {
  override readonly name = 'ServerStopping';
  constructor() {
    super('The proxy was switched off.');
  }
}

/** The whole answer to a call, as JSON. Returns its bytes. */
export function answerJson(
  { answer, requestId }: Pick<ClientCall, 'answer' | 'requestId'>,
  { requestIdHeader }: Pick<ErrorWords<object>, 'requestIdHeader'>,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): Buffer {
  const bytes = Buffer.from(JSON.stringify(body));
  answer.begin(status, {
    'content-type': 'application/json',
    'content-length': String(bytes.length),
    [requestIdHeader]: requestId,
    ...headers,
  });
  answer.end(bytes);
  return bytes;
}

/**
 * Sends a failure: as JSON while nothing was sent, and returns its bytes; else as the last events of the stream. A
 * stream that has ended gets nothing more.
 * @param lastEvents null if the stream has ended
 */
export function answerFailure<Envelope extends object>(
  call: Pick<ClientCall, 'answer' | 'requestId'>,
  words: Pick<ErrorWords<Envelope>, 'requestIdHeader'>,
  { retryAfterSeconds, shouldRetry }: ClientError,
  { status, body }: ReportedError<Envelope>,
  lastEvents: ((envelope: Envelope) => string) | null,
): Buffer | null {
  const { answer } = call;
  if (answer.begun) {
    if (lastEvents !== null) answer.write(lastEvents(body));
    answer.end();
    return null;
  }
  const headers: Record<string, string> = {};
  if (retryAfterSeconds !== null) headers['retry-after'] = String(retryAfterSeconds);
  if (!shouldRetry) headers['x-should-retry'] = 'false';
  return answerJson(call, words, status, body, headers);
}

/** Reading a smaller body holds up nobody. */
const largeBytes = 128 * 1024;
/** How long others wait for a large one, which is read in slices. */
const sliceMs = 2;

/** The body of a request as JSON. Rejects with `Stopped` where it is none. */
export async function readJson(body: Buffer): Promise<unknown> {
  const sliced = body.length > largeBytes && isUtf8(body) ? await readInSlices(body) : null;
  return sliced ?? readWhole(body);
}

/** Between the steps of a large request others have their turn. */
export function turnFor(body: Buffer): Promise<void> | undefined {
  return body.length > largeBytes ? turn() : undefined;
}

async function readInSlices(body: Buffer): Promise<object | null> {
  let began = performance.now();
  try {
    const slices = parseInSlices(body);
    for (;;) {
      const { done, value } = slices.next();
      if (!done && performance.now() - began < sliceMs) continue;
      // Once more behind the last: what is done with it then takes its time, too.
      await turn();
      if (done) return value;
      began = performance.now();
    }
  } catch {
    return null;
  }
}

function readWhole(body: Buffer): unknown {
  if (body.length === 0) throw wrong(t('Jumpseat: the request has no body. Send one JSON object.'));
  // Decoding would put other characters in the place of bytes that are none.
  if (!isUtf8(body)) throw wrong(t('Jumpseat: the body isn’t valid UTF-8. Send one JSON object in UTF-8.'));
  try {
    return parseRequestJson(body.toString('utf8'));
  } catch (error) {
    if (error instanceof RangeError) throw error;
    if (error instanceof RepeatedKey) throw wrong(repeatedKeyText(error.key));
    throw wrong(t('Jumpseat: the body isn’t valid JSON. Send one JSON object.'));
  }
}

function wrong(message: string): Stopped {
  return new Stopped(refuse(400, 'invalid_request_error', 'invalid_body', message));
}

/** Names the key where it is one of the kind that formats have; anything else might say something. */
function repeatedKeyText(key: string | null): string {
  const named = key !== null && /^[\w.$-]{1,64}$/.test(key) ? `the key “${key}”` : 'a key';
  return t(
    'Jumpseat: the body has {named} twice in one object, so that nobody knows which value counts. Send it once.',
    { named },
  );
}
