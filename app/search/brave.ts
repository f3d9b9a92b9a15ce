import { isObject } from '../formats/wire/json.ts';
import { hostsOf } from './domains.ts';
import { objectsIn, pageOf, textOf, textsIn } from './read-fields.ts';
import { withSites } from './sites.ts';
import type { WebEngineFacts } from './web-engine.ts';

const limit = { characters: 400, words: 50, withDomains: true } as const;

/**
 * Brave's LLM context: pages with the passages that answer a query (github.com/brave/brave-search-skills). `q` has at
 * most 400 characters and 50 words; there is no parameter for domains.
 */
export const brave: WebEngineFacts = {
  name: 'brave',
  limit,
  request: ({ query, allowed, blocked, location, count }, key) => {
    const asked = new URLSearchParams({
      q: withSites(query, hostsOf(allowed), hostsOf(blocked), limit),
      count: String(Math.min(count, 20)),
      maximum_number_of_tokens: '8192',
    });
    const country = location?.country?.toLowerCase() ?? null;
    if (country !== null) asked.set('country', country);
    return {
      method: 'GET',
      path: `/res/v1/llm/context?${asked}`,
      headers: { 'X-Subscription-Token': key ?? '' },
    };
  },
  read: ({ grounding, sources }) => {
    const pages = isObject(grounding) ? objectsIn(grounding.generic) : null;
    return (
      pages?.flatMap(({ url, title, snippets }) => {
        const texts = textsIn(snippets);
        return pageOf(url, title, { pageAge: ageOf(sources, url), text: texts.join('\n'), snippets: texts });
      }) ?? null
    );
  },
  // Seen by many: a key that is wrong is 422.
  refusesKey: ({ status, text }) => status === 422 && text.includes('SUBSCRIPTION_TOKEN_INVALID'),
};

/** `age` is the same moment in three spellings, the plainest first. */
function ageOf(sources: unknown, url: unknown): string | null {
  const source = isObject(sources) && typeof url === 'string' ? sources[url] : null;
  const [age] = isObject(source) ? textsIn(source.age) : [];
  return textOf(age) || null;
}
