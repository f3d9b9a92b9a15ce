import { isFiniteNumber, isObject } from '../formats/wire/json.ts';
import { hostsOf } from './domains.ts';
import { objectsIn, pageOf, textOf, textsIn } from './read-fields.ts';
import type { WebEngineFacts } from './web-engine.ts';

/** Exa (github.com/exa-labs/exa-mcp-server, src/types.ts). It says what a search took. */
export const exa: WebEngineFacts = {
  name: 'exa',
  limit: { characters: 2000, words: null },
  request: ({ query, allowed, blocked, count }, key) => ({
    method: 'POST',
    path: '/search',
    headers: { 'x-api-key': key ?? '' },
    body: {
      query,
      type: 'auto',
      numResults: Math.min(count, 20),
      ...(allowed.length > 0 && { includeDomains: hostsOf(allowed) }),
      ...(blocked.length > 0 && { excludeDomains: hostsOf(blocked) }),
      contents: { text: { maxCharacters: 1500 }, highlights: true },
    },
  }),
  read: ({ results }) =>
    objectsIn(results)?.flatMap(({ url, title, text, highlights, publishedDate }) =>
      pageOf(url, title, {
        pageAge: textOf(publishedDate).slice(0, 10) || null,
        text: textOf(text),
        snippets: textsIn(highlights),
      }),
    ) ?? null,
  dollars: ({ costDollars }) => (isObject(costDollars) && isFiniteNumber(costDollars.total) ? costDollars.total : null),
};
