import type { IncomingHttpHeaders } from 'node:http';

/** One request that came through the door, and the way back to who sent it. */
export interface ClientCall {
  /** The label of the key it came with. */
  client: string;
  headers: IncomingHttpHeaders;
  /** Empty once it was let go of. */
  body: Buffer;
  /** Our own id of this request; the client gets it in a header and in every error. */
  requestId: string;
  startedAt: number;
  /** `Clock.ticks()` at the first look at the request. */
  startedTicks: number;
  /** Aborted when the client left, or by the server with `ServerStopping` when the time to finish is over. */
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
  /** What is written from now on may wait for `end`, which comes in the same turn. Saves a write to the socket. */
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

/** Why a signal was aborted when the proxy is switched off and the time for running answers is over. */
export class ServerStopping extends Error {
  override readonly name = 'ServerStopping';
  constructor() {
    super('The proxy was switched off.');
  }
}
