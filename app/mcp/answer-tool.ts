import type { CallToolResult } from '@modelcontextprotocol/server';
import { type SearchAnswer, type SearchOutcome, type SearchQuery, usualResults } from '../api/search.ts';
import type { Exchanger } from '../exchange/exchange.ts';
import { webNotice as notice, quoted } from '../exchange/features/web-search/found.ts';
import { ownFailure, searchServed } from '../exchange/features/web-search/port.ts';
import type { AskedHere, ServedHere } from '../exchange/own-requests.ts';
import type { Search } from '../search/search.ts';
import type { Page, PageOutcome, Pages } from '../web/pages.ts';
import type { AnswerTool, FetchGiven, SearchGiven } from './tools.ts';

export interface WebTools {
  exchanger: Pick<Exchanger, 'here'>;
  search: Pick<Search, 'search'>;
  pages: Pick<Pages, 'read'>;
}

/**
 * Answers the tools here, each call with a row of its own. Nothing in MCP says which prompt it belongs to.
 * @param asked who calls them; its signal is aborted when the client left
 */
export function answerTools({ exchanger, search, pages }: WebTools, asked: AskedHere): AnswerTool {
  const { signal } = asked;
  return (name, given) =>
    exchanger.here(asked, async (cause) => {
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
  const { query, allowed_domains: allowed = [], blocked_domains: blocked = [], count = usualResults } = given;
  return { query, allowed, blocked, location: null, count };
}

/** For the row: nothing of the address, which a reason may name. */
function pageServed(page: PageOutcome): Pick<ServedHere<unknown>, 'note' | 'failure'> {
  const note = { code: 'web-page', count: 1 };
  if (page.kind === 'page') return { note: { ...note, text: `page read: ${page.length} characters` }, failure: null };
  const failure = page.isRefused ? ownFailure(403, 'page-refused') : ownFailure(502, 'page-not-read');
  return { note: { ...note, text: 'page not read' }, failure };
}

/** What a search found, as text and as data: some clients show a model the one, some the other. */
function searchResult(outcome: SearchOutcome): CallToolResult {
  if (outcome.kind === 'failed') return failed(outcome.reason, outcome.remedy);
  const { engine, query, results, summary, notes } = outcome;
  const sources = results.map(({ title, url, pageAge, text }) => ({ title, url, page_age: pageAge, text }));
  return {
    content: [{ type: 'text', text: searchText(outcome) }],
    structuredContent: { notice, query, engine, summary, sources, notes },
  };
}

function searchText({ query, results, summary, notes }: SearchAnswer): string {
  if (results.length === 0 && summary === null) return [`No page was found for: ${query}`, ...notes].join('\n');
  const pages = results.map(({ title, url, pageAge, text }, index) =>
    [`${index + 1}. ${title}`, url, ...(pageAge === null ? [] : [pageAge]), text].join('\n'),
  );
  const found = [...(summary === null ? [] : [summary]), ...pages];
  return [`Results for: ${query}`, ...notes, quoted(found.join('\n\n'))].join('\n');
}

/** What a page says. Only as text: as data it would be there twice. */
function pageResult(outcome: PageOutcome): CallToolResult {
  if (outcome.kind === 'failed') return failed(outcome.reason, outcome.remedy);
  return { content: [{ type: 'text', text: pageText(outcome) }] };
}

function pageText({ url, title, text, from, length, notes }: Page): string {
  const said = title === null ? text : `${title}\n\n${text}`;
  const part = from > 0 ? [`From character ${from} of ${length}.`] : [];
  return [url, ...part, ...notes, quoted(said)].join('\n');
}

function failed(reason: string, remedy: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: `Jumpseat: ${reason} ${remedy}` }] };
}
