import type { SearchErrorCode, SearchFailure } from '../api/search.ts';

/** Where an engine's key is taken from. */
export function enterKey(engine: string): string {
  return `Enter one in Settings → Web search, or set JUMPSEAT_${engine.toUpperCase()}_KEY.`;
}

/** Which engine it was adds `Search`. */
export function searchFailure(
  code: SearchErrorCode,
  reason: string,
  mend: string,
  retryAfterMs: number | null = null,
): SearchFailure {
  return { kind: 'failed', engine: null, code, reason, mend, retryAfterMs };
}
