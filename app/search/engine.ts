import type { IncomingHttpHeaders } from 'node:http';
import { readBody } from '../account/read-response.ts';
import type {
  EngineName,
  SearchCost,
  SearchErrorCode,
  SearchFailure,
  SearchQuery,
  SearchResult,
} from '../api/search.ts';
import type { Cause } from '../exchange/dependencies.ts';
import { isObject, type JsonObject } from '../formats/wire/json.ts';
import { t } from '../language/translate.ts';
import { type Dialer, type DialRequest, NetworkError } from '../ports.ts';

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

/** Larger than any engine's answer today. */
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
      return searchFailure('unavailable', t('{who} answered with more than 2 MiB.', { who }), t('Try another engine.'));
    if (body.kind === 'cut')
      return searchFailure('unavailable', t('The answer of {who} broke off.', { who }), t('Try again.'));
    return { kind: 'answered', status: response.statusCode ?? 0, headers: response.headers, text: body.text };
  } catch (error) {
    request.signal.throwIfAborted();
    if (!(error instanceof NetworkError)) throw error;
    const { host, code } = error;
    return searchFailure(
      'unavailable',
      t('No connection to {host} ({code}).', { host, code }),
      t('Check the network, then try again.'),
    );
  }
}

/** What a status other than 2xx means, in Anthropic's codes. Null if it is a good answer. */
export function refusalOf(who: string, { status, headers }: EngineAnswer): SearchFailure | null {
  if (isGood(status)) return null;
  if (isKeyRefused(status)) return keyRefused(who);
  if (status === 402 || status === 429 || status === 432 || status === 433)
    return searchFailure(
      'too_many_requests',
      t('{who} allows no more searches now ({status}).', { who, status }),
      t('Wait, or look at your plan there.'),
      retryAfter(headers['retry-after']),
    );
  if (status === 413)
    return searchFailure('request_too_large', t('{who} finds the request too large.', { who }), t('Ask for less.'));
  if (status === 414)
    return searchFailure('query_too_long', t('{who} finds the query too long.', { who }), t('Use fewer words.'));
  if (status >= 300 && status < 400)
    return searchFailure(
      'unavailable',
      t('{who} sends us elsewhere, which is never followed.', { who }),
      t('Check its address.'),
    );
  return searchFailure(
    'unavailable',
    t('{who} answered {status}.', { who, status }),
    t('Try again, or with another engine.'),
  );
}

export function isGood(status: number): boolean {
  return status >= 200 && status < 300;
}

export function isKeyRefused(status: number): boolean {
  return status === 401 || status === 403;
}

export function keyRefused(who: string): SearchFailure {
  return searchFailure(
    'unavailable',
    t('{who} refuses the key.', { who }),
    t('Enter a new key in Settings → Web search.'),
  );
}

/** Seconds alone; dates are for caches. */
function retryAfter(header: string | string[] | undefined): number | null {
  return typeof header === 'string' && /^\d{1,6}$/.test(header) ? Number(header) * 1000 : null;
}

/** The objects of a list; null if it is none. */
export function objectsIn(list: unknown): JsonObject[] | null {
  return Array.isArray(list) ? list.filter(isObject) : null;
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function textsIn(list: unknown): string[] {
  return Array.isArray(list) ? list.filter((text) => typeof text === 'string' && text !== '') : [];
}

/** A page without an address is none. */
export function pageOf(url: unknown, title: unknown, facts: Partial<SearchResult>): SearchResult[] {
  if (typeof url !== 'string' || !URL.canParse(url)) return [];
  const named = textOf(title) === '' ? new URL(url).hostname : textOf(title);
  return [{ title: named, url, pageAge: null, text: '', snippets: [], ...facts }];
}
