import type { SearchFailure } from '../api/search.ts';
import type { EngineAnswer } from './ask-engine.ts';
import { searchFailure } from './failure.ts';

/** What a status other than 2xx means, in Anthropic's codes. Null: it is a good answer. */
export function refusalOf(who: string, { status, headers }: EngineAnswer): SearchFailure | null {
  if (isGood(status)) return null;
  if (isKeyRefused(status)) return keyRefused(who);
  if (status === 402 || status === 429 || status === 432 || status === 433)
    return searchFailure(
      'too_many_requests',
      `${who} allows no more searches now (${status}).`,
      'Wait, or look at your plan there.',
      retryAfter(headers['retry-after']),
    );
  if (status === 413) return searchFailure('request_too_large', `${who} finds the request too large.`, 'Ask for less.');
  if (status === 414) return searchFailure('query_too_long', `${who} finds the query too long.`, 'Use fewer words.');
  if (status >= 300 && status < 400)
    return searchFailure('unavailable', `${who} sends us elsewhere, which is never followed.`, 'Check its address.');
  return searchFailure('unavailable', `${who} answered ${status}.`, 'Try again, or with another engine.');
}

export function isGood(status: number): boolean {
  return status >= 200 && status < 300;
}

export function isKeyRefused(status: number): boolean {
  return status === 401 || status === 403;
}

export function keyRefused(who: string): SearchFailure {
  return searchFailure('unavailable', `${who} refuses the key.`, 'Enter another one in Settings → Web search.');
}

/** Seconds alone; dates are for caches. */
function retryAfter(header: string | string[] | undefined): number | null {
  return typeof header === 'string' && /^\d{1,6}$/.test(header) ? Number(header) * 1000 : null;
}
