import type { SearchErrorCode, SearchFailure } from '../api/search.ts';

/** Which engine it was adds `Search`. */
export function searchFailure(
  code: SearchErrorCode,
  reason: string,
  mend: string,
  retryAfterMs: number | null = null,
): SearchFailure {
  return { kind: 'failed', engine: null, code, reason, mend, retryAfterMs };
}
