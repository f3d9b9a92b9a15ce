import type { FitNote } from '../../api/exchange.ts';
import type { SearchOutcome } from '../../api/search.ts';

/** For the row of the request that asked for it: no word of the query. */
export function searchNote(outcome: SearchOutcome): FitNote {
  return { code: 'web-search', count: 1, text: searchedWords(outcome) };
}

function searchedWords(outcome: SearchOutcome): string {
  if (outcome.kind === 'failed') return `web search by ${outcome.engine ?? 'nobody'} failed: ${outcome.code}`;
  const { engine, results } = outcome;
  return `web search by ${engine}: ${results.length} ${results.length === 1 ? 'page' : 'pages'}`;
}
