import { readBody } from '../account/read-body.ts';
import type { SearchFailure } from '../api/search.ts';
import { type Dialer, type DialRequest, NetworkError } from '../ports.ts';
import { searchFailure } from './failure.ts';

/** No engine of today comes near. */
const largestAnswer = 2 * 1024 * 1024;
const answerWithinMs = 30_000;

export interface EngineAnswer {
  kind: 'answered';
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  text: string;
}

/**
 * One request to an engine outside: bounded in size and time, by the same proxies as all, redirects never followed.
 * `who`: the engine as people know it.
 */
export async function askEngine(
  dialer: Dialer,
  who: string,
  request: Pick<DialRequest, 'url' | 'method' | 'headers' | 'body'> & { signal: AbortSignal },
): Promise<EngineAnswer | SearchFailure> {
  try {
    const limits = { headTimeoutMs: answerWithinMs, idleTimeoutMs: answerWithinMs };
    const { response } = await dialer.dial({ ...request, ...limits });
    const body = await readBody(response, largestAnswer, answerWithinMs);
    request.signal.throwIfAborted();
    if (body.kind === 'too-large')
      return searchFailure('unavailable', `${who} answered with more than 2 MiB.`, 'Try another engine.');
    if (body.kind === 'cut') return searchFailure('unavailable', `The answer of ${who} broke off.`, 'Try again.');
    return { kind: 'answered', status: response.statusCode ?? 0, headers: response.headers, text: body.text };
  } catch (error) {
    request.signal.throwIfAborted();
    if (!(error instanceof NetworkError)) throw error;
    const { host, code } = error;
    return searchFailure('unavailable', `No connection to ${host} (${code}).`, 'Check the network, then try again.');
  }
}
