import type { EngineAnswer } from './ask-engine.ts';
import { hostsOf } from './domains.ts';
import { searchFailure } from './failure.ts';
import { objectsIn, pageOf, textOf } from './read-fields.ts';
import { withSites } from './sites.ts';
import type { WebEngineFacts } from './web-engine.ts';

const limit = { characters: 2000, words: null, withDomains: true } as const;

/**
 * A SearXNG of one's own (docs.searxng.org/dev/search_api). It has no key; it answers 403 unless its `search.formats`
 * has `json`.
 */
export const searxng: WebEngineFacts = {
  name: 'searxng',
  limit,
  request: ({ query, allowed, blocked }) => {
    const asked = new URLSearchParams({
      q: withSites(query, hostsOf(allowed), hostsOf(blocked), limit),
      format: 'json',
      pageno: '1',
    });
    return { method: 'GET', path: `/search?${asked}`, headers: {} };
  },
  read: ({ results }) =>
    objectsIn(results)?.flatMap(({ url, title, content, publishedDate }) =>
      pageOf(url, title, { pageAge: textOf(publishedDate) || null, text: textOf(content) }),
    ) ?? null,
  refusal: ({ status }: EngineAnswer) =>
    status === 403
      ? searchFailure('unavailable', 'This SearXNG gives no JSON.', 'Add json to search.formats in its settings.yml.')
      : null,
};
