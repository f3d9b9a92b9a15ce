import type { EngineName, SearchFailure, SearchQuery, SearchResult } from '../api/search.ts';
import { type SearchEngineName, searchEngines } from '../api/search-engines.ts';
import { isFiniteNumber, isObject, type JsonObject, parseObject } from '../formats/wire/json.ts';
import { t } from '../language/translate.ts';
import type { Dialer } from '../ports.ts';
import { addressUnder } from '../settings/github-addresses.ts';
import { hostsOf, withSites } from './domains.ts';
import {
  askEngine,
  type Engine,
  type EngineAnswer,
  enterKey,
  type Found,
  isGood,
  isKeyRefused,
  keyRefused,
  objectsIn,
  pageOf,
  type QueryLimit,
  refusalOf,
  type SearchContext,
  searchFailure,
  textOf,
  textsIn,
  unknownCost,
} from './engine.ts';

interface EngineRequest {
  method: 'GET' | 'POST';
  /** Below the engine's address, with its query. */
  path: string;
  headers: Record<string, string>;
  body?: JsonObject;
}

/** What differs between engines that answer one request with one JSON object. */
interface WebEngineFacts {
  name: SearchEngineName;
  limit: QueryLimit;
  /** @param key null if there is none */
  request(query: SearchQuery, key: string | null): EngineRequest;
  /** Null if the answer has not this engine's form. */
  read(answer: JsonObject): SearchResult[] | null;
  /** What it says it took, in dollars. */
  dollars?(answer: JsonObject): number | null;
  /** Where its word for a wrong key is not 401 or 403. */
  refusesKey?(answer: EngineAnswer): boolean;
  /** What a status means here and nowhere else; null: what it means everywhere. */
  refusal?(answer: EngineAnswer): SearchFailure | null;
}

interface WebEngineDependencies {
  dialer: Dialer;
  /** Null if the person has named none, and there is no usual one. Throws `SearchAddressError`. */
  base(): URL | null;
  key(): Promise<string | null>;
  /** Told where the engine took the key or refused it: an answer of another kind says neither. */
  keyWas(good: boolean): void;
}

/** An engine of the person's own choice, asked over https. */
export class WebEngine implements Engine {
  readonly name: EngineName;
  readonly limit: QueryLimit;
  readonly #facts: WebEngineFacts;
  readonly #dependencies: WebEngineDependencies;

  constructor(facts: WebEngineFacts, dependencies: WebEngineDependencies) {
    this.name = facts.name;
    this.limit = facts.limit;
    this.#facts = facts;
    this.#dependencies = dependencies;
  }

  async search(query: SearchQuery, { signal }: SearchContext): Promise<Found | SearchFailure> {
    const { title: who, key: needsKey } = searchEngines[this.#facts.name];
    const { dialer, keyWas } = this.#dependencies;
    const base = this.#dependencies.base();
    if (base === null)
      return searchFailure(
        'unavailable',
        t('{who} has no address that may be used.', { who }),
        t('Enter one in Settings → Web search: https, or http on this machine.'),
      );
    const key = needsKey === 'never' ? null : await this.#dependencies.key();
    if (key === null && needsKey === 'always')
      return searchFailure('unavailable', t('{who} has no key.', { who }), enterKey(this.#facts.name));
    const { path, method, headers, body } = this.#facts.request(query, key);
    const answer = await askEngine(dialer, who, {
      url: addressUnder(base, path),
      method,
      headers: { Accept: 'application/json', ...(body && { 'Content-Type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
      signal,
    });
    if (answer.kind === 'failed') return answer;
    if (key !== null && (isKeyRefused(answer.status) || this.#facts.refusesKey?.(answer) === true)) {
      keyWas(false);
      return keyRefused(who);
    }
    if (key !== null && isGood(answer.status)) keyWas(true);
    if (key === null && needsKey === 'perhaps' && isKeyRefused(answer.status))
      return searchFailure(
        'unavailable',
        t('{who} answers no more without a key ({status}).', { who, status: answer.status }),
        t('Enter one in Settings → Web search.'),
      );
    return this.#facts.refusal?.(answer) ?? refusalOf(who, answer) ?? this.#read(answer);
  }

  #read({ text }: EngineAnswer): Found | SearchFailure {
    const { read, dollars } = this.#facts;
    const who = searchEngines[this.#facts.name].title;
    const json = parseObject(text);
    const results = json === null ? null : read(json);
    if (json === null || results === null) {
      const what = json === null ? 'no JSON' : 'something else than results';
      return searchFailure(
        'unavailable',
        t('{who} answered with {what}.', { who, what }),
        t('Try again, or with another engine.'),
      );
    }
    const cost = { ...unknownCost, dollars: dollars?.(json) ?? null };
    return { kind: 'found', results, summary: null, cost, notes: [] };
  }
}

const braveLimit = { characters: 400, words: 50, withDomains: true } as const;

/**
 * Brave's LLM context: pages with the passages that answer a query (github.com/brave/brave-search-skills). `q` has at
 * most 400 characters and 50 words; there is no parameter for domains.
 */
export const brave: WebEngineFacts = {
  name: 'brave',
  limit: braveLimit,
  request: ({ query, allowed, blocked, location, count }, key) => {
    const asked = new URLSearchParams({
      q: withSites(query, hostsOf(allowed), hostsOf(blocked), braveLimit),
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

// Google reads 32 words.
const serpapiLimit = { characters: 2000, words: 32, withDomains: true } as const;

/** Google's results by way of SerpApi (serpapi.com/search-api). It takes its key in the address alone. */
export const serpapi: WebEngineFacts = {
  name: 'serpapi',
  limit: serpapiLimit,
  request: ({ query, allowed, blocked, location, count }, key) => {
    const asked = new URLSearchParams({
      engine: 'google',
      q: withSites(query, hostsOf(allowed), hostsOf(blocked), serpapiLimit),
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

const searxngLimit = { characters: 2000, words: null, withDomains: true } as const;

/**
 * A SearXNG of one's own (docs.searxng.org/dev/search_api). It has no key; it answers 403 unless its `search.formats`
 * has `json`.
 */
export const searxng: WebEngineFacts = {
  name: 'searxng',
  limit: searxngLimit,
  request: ({ query, allowed, blocked }) => {
    const asked = new URLSearchParams({
      q: withSites(query, hostsOf(allowed), hostsOf(blocked), searxngLimit),
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
      ? searchFailure(
          'unavailable',
          t('This SearXNG returns no JSON.'),
          t('Add json to search.formats in its settings.yml.'),
        )
      : null,
};
