import { AccountError, isOfSignIn } from '../account/account-error.ts';
import { unlessAborted } from '../account/unless-aborted.ts';
import type { SearchFailure, SearchQuery } from '../api/search.ts';
import type { Asker } from '../exchange/dependencies.ts';
import { readSearched } from '../formats/responses/searched.ts';
import { isObject, type JsonObject, parseObject } from '../formats/wire/json.ts';
import { SseFeed } from '../formats/wire/sse.ts';
import { msg } from '../language/messages.ts';
import { t } from '../language/translate.ts';
import type { Dialer } from '../ports.ts';
import { addressUnder } from '../settings/github-addresses.ts';
import { hostsOf, withSites } from './domains.ts';
import {
  askEngine,
  type Engine,
  type EngineAnswer,
  type Found,
  objectsIn,
  refusalOf,
  type SearchContext,
  searchFailure,
  textOf,
  unknownCost,
} from './engine.ts';

export interface GithubEngineDependencies {
  dialer: Dialer;
  /** Access of the account for a client with this label. Rejects with `AccountError`. */
  access(cause: Asker): Promise<{ githubToken: string; apiBase: URL; userAgent: string }>;
}

const limit = { characters: 1000, words: null, withDomains: true } as const;
const who = msg('GitHub’s search');

/**
 * The tool `web_search` of GitHub's remote MCP server, at Copilot's address and with the GitHub token. VS Code gives it
 * to its hosted Claude sessions (microsoft/vscode `githubMcpServer.ts`); GitHub's own list of tools does not have it.
 * It takes 10 to 20 s, and what it costs is not reported.
 */
export class GithubEngine implements Engine {
  readonly name = 'github';
  readonly limit = limit;
  readonly #dependencies: GithubEngineDependencies;

  constructor(dependencies: GithubEngineDependencies) {
    this.#dependencies = dependencies;
  }

  async search(query: SearchQuery, { signal, cause }: SearchContext): Promise<Found | SearchFailure> {
    try {
      const { githubToken, apiBase, userAgent } = await unlessAborted(this.#dependencies.access(cause), signal);
      const words = withSites(query.query, hostsOf(query.allowed), hostsOf(query.blocked), limit);
      const answer = await askEngine(this.#dependencies.dialer, who, {
        url: addressUnder(apiBase, '/mcp'),
        method: 'POST',
        headers: {
          Authorization: `Bearer ${githubToken}`,
          'X-MCP-Tools': 'web_search',
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
          'User-Agent': userAgent,
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'web_search', arguments: { query: words } },
        }),
        signal,
      });
      return answer.kind === 'failed' ? answer : read(answer);
    } catch (error) {
      if (error instanceof AccountError)
        return {
          ...searchFailure('unavailable', error.message, error.remedy),
          quotes: true,
          ...(isOfSignIn(error) ? { signedOut: true } : {}),
        };
      throw error;
    }
  }
}

function read(answer: EngineAnswer): Found | SearchFailure {
  if (answer.status === 401 || answer.status === 403) return notAllowed();
  const refused = refusalOf(who, answer);
  if (refused !== null) return refused;
  const message = messageIn(answer);
  if (message === null)
    return searchFailure('unavailable', t('{who} answered with no JSON.', { who }), t('Try again.'));
  if (isObject(message.error)) return notAllowed();
  const text = textIn(message);
  if (text === null)
    return searchFailure('unavailable', t('{who} answered without a result.', { who }), t('Try again.'));
  const wait = /^Rate limit exceeded\b.{0,200}?Try again in (\d{1,5}) seconds/is.exec(text)?.[1];
  if (text.startsWith('Rate limit exceeded'))
    return searchFailure(
      'too_many_requests',
      t('{who} allows no more searches now.', { who }),
      t('Wait a minute, then try again.'),
      wait === undefined ? null : Number(wait) * 1000,
    );
  return (
    foundIn(text) ?? searchFailure('unavailable', t('{who} answered with something else.', { who }), t('Try again.'))
  );
}

/** Failure for a tool that the organisation doesn't allow or that no longer exists: both are reported as unknown. */
function notAllowed(): SearchFailure {
  return searchFailure(
    'unavailable',
    t('GitHub offers this account no web search.'),
    t('Turn on “Copilot can search the web” at github.com/settings/copilot, or ask who runs your organisation.'),
  );
}

/** Whole JSON, or one event of a stream. */
function messageIn({ text, headers }: EngineAnswer): JsonObject | null {
  if (!String(headers['content-type'] ?? '').includes('text/event-stream')) return parseObject(text);
  let found: JsonObject | null = null;
  const feed = new SseFeed((_event, data) => {
    const message = parseObject(data);
    if (message !== null && (message.result !== undefined || message.error !== undefined)) found = message;
    return found === null;
  });
  feed.push(Buffer.from(text));
  feed.end();
  return found;
}

function textIn({ result }: JsonObject): string | null {
  const [first] = (isObject(result) ? objectsIn(result.content) : null) ?? [];
  return typeof first?.text === 'string' ? first.text : null;
}

/** The text is JSON again: an answer in words, whose marks (`【3:2†source】`) are explained by annotations. */
function foundIn(text: string): Found | null {
  const said = parseObject(text)?.text;
  if (!isObject(said) || typeof said.value !== 'string') return null;
  const annotations = (objectsIn(said.annotations) ?? []).map(({ start_index, end_index, url_citation: cited }) => ({
    type: 'url_citation',
    start_index,
    end_index,
    ...(isObject(cited) ? cited : {}),
  }));
  const part = { type: 'output_text', text: said.value, annotations };
  const { pages } = readSearched({ output: [{ type: 'message', content: [part] }] });
  const results = pages.map(({ url, title, passages }) => {
    const passage = passages.map(withoutMarks);
    return { title: title ?? new URL(url).hostname, url, pageAge: null, text: passage.join('\n'), snippets: passage };
  });
  return { kind: 'found', results, summary: withoutMarks(textOf(said.value)), cost: unknownCost, notes: [] };
}

function withoutMarks(text: string): string {
  return text.replace(/\s?【[^】]{0,100}】/g, '');
}
