import type { IncomingHttpHeaders } from 'node:http';
import type { Exchange, Failure, FitNote } from '../../../api/exchange.ts';
import type { SearchErrorCode, SearchFailure, SearchOutcome, SearchQuery } from '../../../api/search.ts';
import { failureWords } from '../../../words/failures.ts';
import type { Verdict } from '../../initiator/verdict.ts';

/** Who searches the web for the requests of clients. */
export interface WebSearch {
  /** False: the person has switched every engine off. */
  isOn(): boolean;
  /** Ends within 30 s. Rejects with the signal's reason alone. */
  search(query: SearchQuery, context: SearchContext): Promise<SearchOutcome>;
}

export interface SearchContext {
  /** Aborted when the client leaves. */
  signal: AbortSignal;
  cause: Cause;
  /** The client's own request, where it is a search and nothing else. */
  original?: { body: Buffer; headers: IncomingHttpHeaders };
}

/** What a request of our own is for. */
export interface Cause {
  /** The exchange that needs it; null: a person asked Jumpseat itself. */
  exchange: string | null;
  /** The label of whom it is for. */
  client: string;
  session: string | null;
  prompt: string | null;
  /** Of the prompt that it follows; null: it has one of its own. */
  interactionId: string | null;
  /**
   * The request that needs it goes on with a prompt that Copilot has counted already: its own verdict is `agent`, or it
   * was a `user` and Copilot has accepted it. Anything else makes this one a `user`.
   */
  counted: boolean;
}

/** For whom a search is made. @param counted Copilot has counted the prompt behind it, or there was none to count */
export function causeOf(
  { row, verdict }: { row: Exchange; verdict: Pick<Verdict, 'interactionId'> | null },
  counted: boolean,
): Cause {
  const { id, client, session, prompt } = row;
  return { exchange: id, client, session, prompt, interactionId: verdict?.interactionId ?? null, counted };
}

/** For the row of the request that asked for it: no word of the query. */
export function searchNote(outcome: SearchOutcome): FitNote {
  return { code: 'web-search', count: 1, text: searchedWords(outcome) };
}

/** The same for a row that is the search alone: where that failed, so did the row. */
export function searchServed(outcome: SearchOutcome): { note: FitNote; failure: OwnFailure | null } {
  return { note: searchNote(outcome), failure: outcome.kind === 'failed' ? failureOf(outcome) : null };
}

type OwnFailure = Failure & { status: number };

/** Status by Anthropic's word for it. */
const statuses: Readonly<Record<SearchErrorCode, number>> = {
  invalid_tool_input: 400,
  unavailable: 503,
  max_uses_exceeded: 429,
  too_many_requests: 429,
  query_too_long: 414,
  request_too_large: 413,
};

function failureOf({ code, reason, quotes, signedOut }: SearchFailure): OwnFailure {
  if (signedOut) return ownFailure(401, 'search-signed-out');
  const failure = ownFailure(statuses[code], `search-${code}`);
  return quotes ? failure : { ...failure, message: reason };
}

/** Of something that Jumpseat itself did, in its words for `code`. */
export function ownFailure(status: number, code: string): OwnFailure {
  const facts = { source: 'jumpseat', status, code } as const;
  return { ...facts, message: failureWords(facts), told: null };
}

function searchedWords(outcome: SearchOutcome): string {
  if (outcome.kind === 'failed') return `web search by ${outcome.engine ?? 'nobody'} failed: ${outcome.code}`;
  const { engine, results } = outcome;
  return `web search by ${engine}: ${results.length} ${results.length === 1 ? 'page' : 'pages'}`;
}
