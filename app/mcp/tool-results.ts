import type { CallToolResult } from '@modelcontextprotocol/server';
import type { SearchAnswer, SearchOutcome } from '../api/search.ts';
import { webNotice as notice, quoted } from '../exchange/features/web-search/found.ts';
import type { Page, PageOutcome } from '../web/pages.ts';

/** What a search found, as text and as data: some clients show a model the one, some the other. */
export function searchResult(outcome: SearchOutcome): CallToolResult {
  if (outcome.kind === 'failed') return failed(outcome.reason, outcome.mend);
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
export function pageResult(outcome: PageOutcome): CallToolResult {
  if (outcome.kind === 'failed') return failed(outcome.reason, outcome.mend);
  return { content: [{ type: 'text', text: pageText(outcome) }] };
}

function pageText({ url, title, text, from, length, notes }: Page): string {
  const said = title === null ? text : `${title}\n\n${text}`;
  const part = from > 0 ? [`From character ${from} of ${length}.`] : [];
  return [url, ...part, ...notes, quoted(said)].join('\n');
}

function failed(reason: string, mend: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: `Jumpseat: ${reason} ${mend}` }] };
}
