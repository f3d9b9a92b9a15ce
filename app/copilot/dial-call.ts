import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { readBody } from '../account/read-body.ts';
import type { Attempt } from '../api/exchange.ts';
import { moment } from '../api/moment.ts';
import type { Dialer } from '../ports.ts';

/** Sees what goes out and what comes back. The headers hold the bearer: who keeps them takes it out first. */
export interface Witness {
  /** Before every try. */
  sends(headers: Readonly<Record<string, string>>, body: Buffer | string): void;
  hears(headers: IncomingHttpHeaders): void;
  /** The body of a refusal as it came: who keeps it takes the secrets out first. */
  refused(text: string): void;
}

/** A call without its address and headers. */
export interface CallToDial {
  method: 'GET' | 'POST';
  body?: Buffer | string;
  signal?: AbortSignal;
  witness?: Witness | undefined;
  /** `clock.ticks()` when the exchange began. */
  startedTicks: number;
  headTimeoutMs: number;
  idleTimeoutMs: number;
}

export const headTimeoutMs = 120_000;
export const idleTimeoutMs = 300_000;
const refusalLimit = 256 * 1024;
const refusalDeadlineMs = 10_000;

/** Sends it, and resolves with the head of its answer. Rejects as the dialer does. */
export async function dialCall(
  dialer: Dialer,
  { method, body, signal, witness, headTimeoutMs, idleTimeoutMs }: CallToDial,
  url: URL,
  headers: Record<string, string>,
  attempt: Attempt,
): Promise<IncomingMessage> {
  witness?.sends(headers, body ?? '');
  const { response, connectMs } = await dialer.dial({
    ...{ url, method, headers, headTimeoutMs, idleTimeoutMs },
    ...(body === undefined ? undefined : { body }),
    ...(signal === undefined ? undefined : { signal }),
  });
  attempt.connect = moment(connectMs);
  witness?.hears(response.headers);
  return response;
}

/** What a refusal says, as far as it comes. Rejects where the call was given up meanwhile. */
export async function readRefusal(response: IncomingMessage, { signal, witness }: CallToDial): Promise<string> {
  const { text } = await readBody(response, refusalLimit, refusalDeadlineMs);
  signal?.throwIfAborted();
  witness?.refused(text);
  return text;
}
