import { asObject, asText } from './json.ts';
import { pagesForQuery } from './prompts/web.ts';
import type { RecordedRequest } from './record.ts';
import type { Refusal } from './refusal.ts';

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
