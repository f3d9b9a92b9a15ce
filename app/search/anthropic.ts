import {
  type SearchErrorCode,
  type SearchFailure,
  type SearchQuery,
  type SearchResult,
  searchErrorCodeSchema,
} from '../api/search.ts';
import { MessagesCollector } from '../formats/messages/collector.ts';
import { isObject, type JsonObject, parseObject } from '../formats/wire/json.ts';
import { t } from '../language/translate.ts';
import type { Dialer } from '../ports.ts';
import { addressUnder } from '../settings/github-addresses.ts';
import {
  askEngine,
  type Engine,
  type EngineAnswer,
  enterKey,
  type Found,
  isGood,
  isKeyRefused,
  objectsIn,
  pageOf,
  refusalOf,
  type SearchContext,
  searchFailure,
  textOf,
  unknownCost,
} from './engine.ts';

interface AnthropicEngineDependencies {
  dialer: Dialer;
  base: URL;
  key(): Promise<string | null>;
  keyWas(good: boolean): void;
}

const who = 'Anthropic';
/** For searches that come from no request of a client: the cheapest that has the tool. */
const ownModel = 'claude-haiku-4-5';
const version = '2023-06-01';

/**
 * Anthropic's own search, with the person's own key: $10 for 1000 searches, and the tokens. A client's request that is
 * a search and nothing else goes there as it came.
 */
export class AnthropicEngine implements Engine {
  readonly name = 'anthropic';
  readonly limit = { characters: 2000, words: null };
  readonly #dependencies: AnthropicEngineDependencies;

  constructor(dependencies: AnthropicEngineDependencies) {
    this.#dependencies = dependencies;
  }

  async search(query: SearchQuery, { signal, original }: SearchContext): Promise<Found | SearchFailure> {
    const { dialer, base, key: keyOf, keyWas } = this.#dependencies;
    const key = await keyOf();
    if (key === null) return searchFailure('unavailable', t('{who} has no key.', { who }), enterKey('anthropic'));
    const betas = original?.headers['anthropic-beta'];
    const answer = await askEngine(dialer, who, {
      url: addressUnder(base, '/v1/messages'),
      method: 'POST',
      headers: {
        'x-api-key': key,
        'anthropic-version': String(original?.headers['anthropic-version'] ?? version),
        ...(betas === undefined ? {} : { 'anthropic-beta': String(betas) }),
        'Content-Type': 'application/json',
      },
      body: original?.body ?? JSON.stringify(ownRequest(query)),
      signal,
    });
    if (answer.kind === 'failed') return answer;
    if (isGood(answer.status) || isKeyRefused(answer.status)) keyWas(isGood(answer.status));
    return refusalOf(who, answer) ?? read(answer);
  }
}

function ownRequest({ query, allowed, blocked, location }: SearchQuery): JsonObject {
  return {
    model: ownModel,
    max_tokens: 2048,
    messages: [{ role: 'user', content: `Perform a web search for the query: ${query}` }],
    tools: [
      {
        type: 'web_search_20250305',
        name: 'web_search',
        max_uses: 1,
        // It takes one of them.
        ...(allowed.length > 0 ? { allowed_domains: allowed } : blocked.length > 0 && { blocked_domains: blocked }),
        ...(location !== null && { user_location: { type: 'approximate', ...withoutNulls(location) } }),
      },
    ],
    tool_choice: { type: 'tool', name: 'web_search' },
  };
}

function withoutNulls(values: object): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}

function read(answer: EngineAnswer): Found | SearchFailure {
  const message = messageIn(answer);
  const blocks = message === null ? null : objectsIn(message.content);
  if (blocks === null)
    return searchFailure('unavailable', t('{who} answered with no message.', { who }), t('Try again.'));
  const found = blocks.filter(({ type }) => type === 'web_search_tool_result');
  const failed = found.map(({ content }) => content).find(isObject);
  if (failed !== undefined && found.length === 1)
    return searchFailure(codeOf(failed.error_code), t('{who}’s search failed.', { who }), t('Try again.'));
  if (found.length === 0)
    return searchFailure('unavailable', t('{who}’s model answered without a search.', { who }), t('Try again.'));
  const texts = blocks.filter(({ type }) => type === 'text');
  const pages = found.flatMap(({ content }) => objectsIn(content) ?? []);
  const results = pages.flatMap((page) => resultOf(page, texts));
  const summary = texts.map(({ text }) => textOf(text)).join('');
  return { kind: 'found', results, summary: summary === '' ? null : summary, cost: unknownCost, notes: [] };
}

function messageIn({ text, headers }: EngineAnswer): JsonObject | null {
  if (!String(headers['content-type'] ?? '').includes('text/event-stream')) return parseObject(text);
  const collector = new MessagesCollector();
  collector.push(Buffer.from(text));
  const message = collector.message();
  return message === null ? null : { ...message };
}

/** What a page says is encrypted but for what the model cites of it. */
function resultOf({ url, title, page_age: age }: JsonObject, texts: readonly JsonObject[]): SearchResult[] {
  const cited = texts
    .flatMap(({ citations }) => objectsIn(citations) ?? [])
    .filter((citation) => citation.url === url)
    .map(({ cited_text: words }) => textOf(words));
  const snippets = [...new Set(cited)].filter((words) => words !== '');
  return pageOf(url, title, { pageAge: textOf(age) || null, text: snippets.join('\n'), snippets });
}

function codeOf(code: unknown): SearchErrorCode {
  const read = searchErrorCodeSchema.safeParse(code);
  return read.success ? read.data : 'unavailable';
}
