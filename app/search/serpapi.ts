import { hostsOf } from './domains.ts';
import { objectsIn, pageOf, textOf } from './read-fields.ts';
import { withSites } from './sites.ts';
import type { WebEngineFacts } from './web-engine.ts';

// Google reads 32 words.
const limit = { characters: 2000, words: 32, withDomains: true } as const;

/** Google's results by way of SerpApi (serpapi.com/search-api). It takes its key in the address alone. */
export const serpapi: WebEngineFacts = {
  name: 'serpapi',
  limit,
  request: ({ query, allowed, blocked, location, count }, key) => {
    const asked = new URLSearchParams({
      engine: 'google',
      q: withSites(query, hostsOf(allowed), hostsOf(blocked), limit),
      num: String(Math.min(count, 20)),
      api_key: key ?? '',
    });
    const country = location?.country?.toLowerCase() ?? null;
    if (country !== null) asked.set('gl', country);
    return { method: 'GET', path: `/search?${asked}`, headers: {} };
  },
  // Nothing found is told as an error beside the facts of the search.
  read: ({ organic_results: results, search_information: information }) =>
    objectsIn(results)?.flatMap(({ link, title, snippet, date }) =>
      pageOf(link, title, { pageAge: textOf(date) || null, text: textOf(snippet) }),
    ) ?? (information === undefined ? null : []),
};
