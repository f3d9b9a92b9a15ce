import type { SearchQuery } from '../api/search.ts';
import type { Exchanger } from '../exchange/exchange.ts';
import type { ServedHere } from '../exchange/features/own-requests.ts';
import { ownFailure, searchServed } from '../exchange/features/web-search/port.ts';
import type { Search } from '../search/search.ts';
import type { PageOutcome, Pages } from '../web/pages.ts';
import { pageResult, searchResult } from './tool-results.ts';
import type { AnswerTool, FetchGiven, SearchGiven } from './tools.ts';

export interface WebTools {
  exchanger: Pick<Exchanger, 'here'>;
  search: Pick<Search, 'search'>;
  pages: Pick<Pages, 'read'>;
}

const usualCount = 10;

/**
 * Answers the tools here, each call with a row of its own. Nothing in MCP says which prompt it belongs to.
 * @param client the label of who calls them
 * @param signal aborted when the client left
 */
export function answerTools({ exchanger, search, pages }: WebTools, client: string, signal: AbortSignal): AnswerTool {
  return (name, given) =>
    exchanger.here({ client, signal }, async (cause) => {
      if (isFetch(name, given)) {
        const page = await pages.read(given.url, given.start ?? 0, signal);
        return { result: pageResult(page), ...pageServed(page) };
      }
      const outcome = await search.search(queryOf(given), { signal, cause });
      return { result: searchResult(outcome), ...searchServed(outcome) };
    });
}

function isFetch(name: string, given: SearchGiven | FetchGiven): given is FetchGiven {
  return name === 'web_fetch' && 'url' in given;
}

function queryOf(given: SearchGiven): SearchQuery {
  const { query, allowed_domains: allowed = [], blocked_domains: blocked = [], count = usualCount } = given;
  return { query, allowed, blocked, location: null, count };
}

/** For the row: nothing of the address, which a reason may name. */
function pageServed(page: PageOutcome): Pick<ServedHere<unknown>, 'note' | 'failure'> {
  const note = { code: 'web-page', count: 1 };
  if (page.kind === 'page') return { note: { ...note, text: `page read: ${page.length} characters` }, failure: null };
  return { note: { ...note, text: 'page not read' }, failure: ownFailure(502, 'page-not-read') };
}
