import type { IncomingHttpHeaders } from 'node:http';
import type {
  EngineName,
  SearchCost,
  SearchErrorCode,
  SearchFailure,
  SearchQuery,
  SearchResult,
} from '../api/search.ts';
import type { Cause } from '../exchange/dependencies.ts';
import { t } from '../language/translate.ts';

/** Input of an engine besides the query. */
export interface SearchContext {
  /** Aborted when the client leaves. */
  signal: AbortSignal;
  cause: Cause;
  /** The client's own request, where it is a search and nothing else: for the engine that passes it on unchanged. */
  original?: { body: Buffer; headers: IncomingHttpHeaders };
}

/** What an engine found. What the query, the time and the engine before it make of it is added by `Search`. */
export interface Found {
  kind: 'found';
  results: SearchResult[];
  summary: string | null;
  cost: SearchCost;
  notes: string[];
}

/** The longest query that an engine takes. */
export interface QueryLimit {
  characters: number;
  /** Null for as many as fit. */
  words: number | null;
  /** Domains take of it, too. */
  withDomains?: true;
}

/** One that can search the web. It never rejects but with the signal's reason. */
export interface Engine {
  readonly name: EngineName;
  readonly limit: QueryLimit;
  search(query: SearchQuery, context: SearchContext): Promise<Found | SearchFailure>;
}

/** Nothing is known of what it cost. */
export const unknownCost: SearchCost = { nanoAiu: null, premiumRequests: null, dollars: null, exchange: null };

/** Where an engine's key is taken from. */
export function enterKey(engine: string): string {
  return t('Enter one in Settings → Web search, or set JUMPSEAT_{engine}_KEY.', { engine: engine.toUpperCase() });
}

/** Which engine it was adds `Search`. */
export function searchFailure(
  code: SearchErrorCode,
  reason: string,
  remedy: string,
  retryAfterMs: number | null = null,
): SearchFailure {
  return { kind: 'failed', engine: null, code, reason, remedy, retryAfterMs };
}
