import type { Failure, FitNote } from '../../../api/exchange.ts';
import type { SearchErrorCode, SearchFailure, SearchOutcome } from '../../../api/search.ts';
import { failureWords } from '../../../words/failures.ts';

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

/** A failure of Jumpseat's own, with its words for `code`. */
export function ownFailure(status: number, code: string): OwnFailure {
  const facts = { source: 'jumpseat', status, code } as const;
  return { ...facts, message: failureWords(facts), clientMessage: null };
}

function searchedWords(outcome: SearchOutcome): string {
  if (outcome.kind === 'failed') return `web search by ${outcome.engine ?? 'nobody'} failed: ${outcome.code}`;
  const { engine, results } = outcome;
  return `web search by ${engine}: ${results.length} ${results.length === 1 ? 'page' : 'pages'}`;
}
