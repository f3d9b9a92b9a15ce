import { isObject, type JsonObject } from '../formats/wire/json.ts';
import { asList, asNumber, asObject, asText } from './json.ts';
import { type Page, pagesAbout, pagesForQuery } from './pages.ts';
import type { RecordedRequest } from './record.ts';
import type { Refusal } from './refusal.ts';

/** Taken by every simulated engine that has keys; any other is refused. */
export const simulatedSearchKey = 'SIMULATED-search-key-000000';

/**
 * The engines that people bring a key for, each below a path of its own (`/brave`, `/tavily`, …), with the answers in
 * the shapes of their own documents.
 */
export function answerEngine(request: RecordedRequest): Refusal {
  const answer = engines[`${request.method} ${request.path}`];
  return answer === undefined ? { status: 404, body: { message: 'Not Found' } } : answer(request);
}

const engines: Readonly<Record<string, (request: RecordedRequest) => Refusal>> = {
  'GET /brave/res/v1/llm/context': answerBrave,
  'POST /tavily/search': answerTavily,
  'POST /exa/search': answerExa,
  'GET /serpapi/search': answerSerpapi,
  'GET /searxng/search': answerSearxng,
  'GET /duckduckgo/html/': answerDuckduckgo,
  'POST /anthropic/v1/messages': answerAnthropic,
};

const good = (body: unknown): Refusal => ({ status: 200, body });

function query({ query: text }: RecordedRequest): URLSearchParams {
  return new URLSearchParams(text);
}

function answerBrave(request: RecordedRequest): Refusal {
  if (request.headers['x-subscription-token'] !== '<search-key>') {
    const error = {
      code: 'SUBSCRIPTION_TOKEN_INVALID',
      detail: 'The provided subscription token is invalid.',
      status: 422,
    };
    return { status: 422, body: { type: 'ErrorResponse', error } };
  }
  const words = query(request).get('q') ?? '';
  if (words.length > 400 || words.split(' ').length > 50)
    return { status: 422, body: { error: { code: 'VALIDATION' } } };
  const pages = pagesForQuery(words);
  const sources = pages.map(({ url, title }) => [
    url,
    { title, hostname: new URL(url).hostname, age: ['Wednesday, October 28, 2026', '2026-10-28', '25 days ago'] },
  ]);
  return good({
    grounding: { generic: pages.map(({ url, title, text }) => ({ url, title, snippets: [text] })), map: [] },
    sources: Object.fromEntries(sources),
  });
}

function answerTavily(request: RecordedRequest): Refusal {
  const { authorization, 'x-tavily-access-mode': mode } = request.headers;
  if (authorization !== 'Bearer <search-key>' && !(authorization === undefined && mode === 'keyless'))
    return { status: 401, body: { detail: { error: 'Unauthorized: missing or invalid API key.' } } };
  const body = asObject(request.body);
  const words = asText(body.query) ?? '';
  const blocked = asList(body.exclude_domains);
  const pages = pagesAbout(
    words,
    asList(body.include_domains).flatMap((each) => asText(each) ?? []),
  )
    .filter(({ url }) => !blocked.includes(new URL(url).hostname))
    .slice(0, asNumber(body.max_results) ?? 5);
  return good({
    query: words,
    follow_up_questions: null,
    answer: null,
    images: [],
    results: pages.map(({ url, title, text }) => ({ title, url, content: text, score: 0.9, raw_content: null })),
    response_time: 1.5,
  });
}

function answerExa(request: RecordedRequest): Refusal {
  if (request.headers['x-api-key'] !== '<search-key>') return { status: 401, body: { error: 'Invalid API key' } };
  const body = asObject(request.body);
  const pages = pagesAbout(
    asText(body.query) ?? '',
    asList(body.includeDomains).flatMap((each) => asText(each) ?? []),
  );
  return good({
    requestId: 'simulated',
    resolvedSearchType: 'neural',
    results: pages.map(({ url, title, text }) => ({
      ...{ id: url, title, url, text, highlights: [text], score: 0.4, author: null },
      publishedDate: '2026-10-28T00:00:00.000Z',
    })),
    costDollars: { total: 0.007 },
  });
}

function answerSerpapi(request: RecordedRequest): Refusal {
  const asked = query(request);
  if (asked.get('api_key') !== '<search-key>')
    return {
      status: 401,
      body: { error: 'Invalid API key. Your API key should be here: https://serpapi.com/manage-api-key' },
    };
  const pages = pagesForQuery(asked.get('q') ?? '');
  const information = { total_results: pages.length };
  if (pages.length === 0)
    return good({ search_information: information, error: "Google hasn't returned any results for this query." });
  return good({
    search_information: information,
    organic_results: pages.map(({ url, title, text }, at) => ({
      ...{ position: at + 1, title, link: url, displayed_link: url, snippet: text },
      date: 'Oct 28, 2026',
    })),
  });
}

function answerSearxng(request: RecordedRequest): Refusal {
  const asked = query(request);
  if (asked.get('format') !== 'json') return { status: 403, body: 'Forbidden' };
  const words = asked.get('q') ?? '';
  return good({
    query: words,
    results: pagesForQuery(words).map(({ url, title, text }) => ({
      ...{ url, title, content: text, engine: 'brave', engines: ['brave'], category: 'general', score: 1 },
      publishedDate: null,
    })),
    ...{ answers: [], corrections: [], infoboxes: [], suggestions: [], unresponsive_engines: [['google', 'timeout']] },
  });
}

function answerDuckduckgo(request: RecordedRequest): Refusal {
  const pages = pagesForQuery(query(request).get('q') ?? '');
  const results = pages.map(
    ({ url, title, text }) =>
      `<div class="result results_links"><h2 class="result__title"><a rel="nofollow" class="result__a" href="//duckduckgo.com` +
      `/l/?uddg=${encodeURIComponent(url)}&amp;rut=0">${escaped(title)}</a></h2>` +
      `<a class="result__snippet" href="#">${escaped(text).replace('say', '<b>say</b>')}</a></div>`,
  );
  const none = '<div class="no-results">No results.</div>';
  const html = `<!DOCTYPE html><html><body>${results.length === 0 ? none : results.join('')}</body></html>`;
  return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body: html };
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

function answerAnthropic(request: RecordedRequest): Refusal {
  if (request.headers['x-api-key'] !== '<search-key>') {
    const error = { type: 'authentication_error', message: 'invalid x-api-key' };
    return { status: 401, body: { type: 'error', error } };
  }
  const body = asObject(request.body);
  const content = asObject(asList(body.messages).at(-1)).content;
  const text = asText(content) ?? asText(asObject(asList(content).find(isObject)).text) ?? '';
  const words = /query: (.*)/s.exec(text)?.[1]?.trim() ?? text;
  const domains = asList(asObject(asList(body.tools)[0]).allowed_domains).flatMap((each) => asText(each) ?? []);
  const blocks = anthropicBlocks(words, pagesAbout(words, domains));
  const message = {
    ...{ id: 'msg_simulated', type: 'message', role: 'assistant', model: body.model, content: blocks },
    ...{ stop_reason: 'end_turn', stop_sequence: null },
    usage: { input_tokens: 9000, output_tokens: 90, server_tool_use: { web_search_requests: 1 } },
  };
  if (body.stream !== true) return good(message);
  return { status: 200, headers: { 'content-type': 'text/event-stream' }, body: eventsOf(message, blocks) };
}

function anthropicBlocks(words: string, pages: readonly Page[]): JsonObject[] {
  const id = 'srvtoolu_simulated';
  const results = pages.map(({ url, title }) => ({
    ...{ type: 'web_search_result', url, title, page_age: 'October 28, 2026', encrypted_content: 'RW5jcnlwdGVk' },
  }));
  return [
    { type: 'server_tool_use', id, name: 'web_search', input: { query: words } },
    { type: 'web_search_tool_result', tool_use_id: id, content: results },
    ...pages.map(({ url, title, text }) => ({
      type: 'text',
      text: `${text} `,
      citations: [{ type: 'web_search_result_location', url, title, cited_text: text, encrypted_index: 'SW5kZXg=' }],
    })),
  ];
}

/** Events in the order of Anthropic's streams, with each text in one piece. */
function eventsOf(message: JsonObject, blocks: readonly JsonObject[]): string {
  const event = (type: string, more: JsonObject): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`;
  const { stop_reason, stop_sequence, usage } = message;
  return [
    event('message_start', { message: { ...message, content: [], stop_reason: null } }),
    ...blocks.flatMap((block, index) => [
      event('content_block_start', { index, content_block: beganBlock(block) }),
      ...deltasOf(block).map((delta) => event('content_block_delta', { index, delta })),
      event('content_block_stop', { index }),
    ]),
    event('message_delta', { delta: { stop_reason, stop_sequence }, usage }),
    event('message_stop', {}),
  ].join('');
}

function beganBlock(block: JsonObject): JsonObject {
  if (block.type === 'text') return { type: 'text', text: '', citations: [] };
  return block.type === 'server_tool_use' ? { ...block, input: {} } : block;
}

function deltasOf(block: JsonObject): JsonObject[] {
  if (block.type === 'server_tool_use')
    return [{ type: 'input_json_delta', partial_json: JSON.stringify(block.input) }];
  if (block.type !== 'text') return [];
  return [
    ...asList(block.citations).map((citation) => ({ type: 'citations_delta', citation })),
    { type: 'text_delta', text: block.text },
  ];
}

/**
 * GitHub's MCP server as far as its tool `web_search` goes: the GitHub token, no initiator, and the tool only where a
 * header asks for it.
 */
export function answerMcp(request: RecordedRequest): Refusal {
  if (request.headers.authorization !== 'Bearer <github-token>') return { status: 401, body: 'unauthorized\n' };
  const accepted = request.headers.accept ?? '';
  if (!accepted.includes('application/json') || !accepted.includes('text/event-stream'))
    return { status: 406, body: 'Accept must contain both application/json and text/event-stream\n' };
  const { id, method, params } = asObject(request.body);
  const { name, arguments: given } = asObject(params);
  const isOffered = (request.headers['x-mcp-tools'] ?? '').split(',').includes('web_search');
  if (method !== 'tools/call' || name !== 'web_search' || !isOffered) {
    const error = { code: -32602, message: `unknown tool "${String(name)}"` };
    return { status: 200, body: { jsonrpc: '2.0', id, error } };
  }
  const text = JSON.stringify(answerTo(asText(asObject(given).query) ?? ''));
  const message = { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } };
  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream' },
    body: `event: message\ndata: ${JSON.stringify(message)}\n\n`,
  };
}

function answerTo(query: string): object {
  let value = '';
  const annotations: object[] = [];
  for (const [at, { url, title, text }] of pagesForQuery(query).entries()) {
    const mark = `【3:${at}†source】`;
    value += `${value === '' ? '' : '\n'}${text} `;
    const start_index = value.length;
    value += mark;
    annotations.push({ text: mark, start_index, end_index: value.length, url_citation: { title, url } });
  }
  if (value === '') value = 'Nothing was found.';
  const searched = `https://www.bing.com/search?q=${encodeURIComponent(query)}`;
  return {
    type: 'output_text',
    text: { value, annotations },
    bing_searches: [{ text: query, url: searched }],
    annotations: null,
  };
}
