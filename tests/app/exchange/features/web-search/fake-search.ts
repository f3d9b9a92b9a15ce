import type { SearchFailure, SearchOutcome, SearchQuery, SearchResult } from '../../../../../app/api/search.ts';
import type { SearchContext, WebSearch } from '../../../../../app/exchange/dependencies.ts';

/** A search that finds what a test laid ready, and remembers what was asked. */
export class FakeSearch implements WebSearch {
  readonly asked: { query: SearchQuery; context: SearchContext }[] = [];
  on = true;
  /** Answers instead of the two usual pages. */
  answer: (query: SearchQuery, context: SearchContext) => SearchOutcome | Promise<SearchOutcome> = ({ query }) =>
    found(query);

  isOn(): boolean {
    return this.on;
  }

  whyOff(): string {
    return 'Web search is off. Choose an engine in Settings → Web search.';
  }

  async search(query: SearchQuery, context: SearchContext): Promise<SearchOutcome> {
    this.asked.push({ query, context });
    return this.answer(query, context);
  }
}

export function page(name: string, more: Partial<SearchResult> = {}): SearchResult {
  return {
    title: `The page ${name}`,
    url: `https://${name}.example/page`,
    pageAge: null,
    text: `What ${name} says.`,
    snippets: [`What ${name} says.`],
    ...more,
  };
}

export function found(
  query: string,
  results = [page('one'), page('two')],
  summary: string | null = null,
): SearchOutcome {
  const cost = { nanoAiu: null, premiumRequests: null, dollars: null, exchange: null };
  return { kind: 'found', engine: 'copilot', query, cut: false, results, summary, cost, ms: 1, notes: [] };
}

export function failed(code: SearchFailure['code']): SearchOutcome {
  const words = { reason: `It was ${code}.`, remedy: 'Do something.', retryAfterMs: null };
  return { kind: 'failed', engine: 'copilot', code, ...words };
}
