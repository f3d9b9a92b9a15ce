import type { SearchContext } from '../search/engine.ts';
import type { Search } from '../search/search.ts';
import type { Pages } from '../web/pages.ts';
import { pageResult, searchResult } from './tool-results.ts';
import type { AnswerTool, FetchGiven, SearchGiven } from './tools.ts';

export interface WebTools {
  search: Pick<Search, 'search'>;
  pages: Pick<Pages, 'read'>;
}

const usualCount = 10;

/**
 * Answers the tools here.
 * @param client the label of who calls them
 * @param left aborted when the client left
 */
export function answerTools({ search, pages }: WebTools, client: string, left: AbortSignal): AnswerTool {
  return async (name, given) => {
    if (isFetch(name, given)) return pageResult(await pages.read(given.url, given.start ?? 0, left));
    return searchResult(await search.search(...searchFor(given, client, left)));
  };
}

function isFetch(name: string, given: SearchGiven | FetchGiven): given is FetchGiven {
  return name === 'web_fetch' && 'url' in given;
}

/**
 * No prompt is known that it follows: nothing in MCP says which one a call belongs to, so it counts as a person's own
 * request.
 */
function searchFor(given: SearchGiven, client: string, signal: AbortSignal): Parameters<Search['search']> {
  const { query, allowed_domains: allowed = [], blocked_domains: blocked = [], count = usualCount } = given;
  const cause: SearchContext['cause'] = {
    ...{ exchange: null, client, session: null, prompt: null, interactionId: null },
    counted: false,
  };
  return [
    { query, allowed, blocked, location: null, count },
    { signal, cause },
  ];
}
