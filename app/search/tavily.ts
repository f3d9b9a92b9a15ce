import { hostsOf } from './domains.ts';
import { objectsIn, pageOf, textOf } from './read-fields.ts';
import type { WebEngineFacts } from './web-engine.ts';

/**
 * Tavily (github.com/tavily-ai/tavily-python). Without a key it is asked in its keyless mode, which allows few
 * searches. Its own word for a plan that is used up is 432 or 433.
 */
export const tavily: WebEngineFacts = {
  name: 'tavily',
  limit: { characters: 400, words: null },
  request: ({ query, allowed, blocked, count }, key) => ({
    method: 'POST',
    path: '/search',
    headers: key === null ? { 'X-Tavily-Access-Mode': 'keyless' } : { Authorization: `Bearer ${key}` },
    body: {
      query,
      search_depth: 'basic',
      topic: 'general',
      max_results: Math.min(count, 20),
      include_domains: hostsOf(allowed),
      exclude_domains: hostsOf(blocked),
      include_answer: false,
      include_raw_content: false,
    },
  }),
  read: ({ results }) =>
    objectsIn(results)?.flatMap(({ url, title, content, published_date: date }) =>
      pageOf(url, title, { pageAge: textOf(date) || null, text: textOf(content) }),
    ) ?? null,
};
