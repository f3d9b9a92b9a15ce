import { type CallToolResult, createMcpHandler } from '@modelcontextprotocol/server';
import { type SearchAnswer, type SearchOutcome, type SearchQuery, usualResults } from '../api/search.ts';
import type { AnswerSink, ClientCall } from '../exchange/client-call.ts';
import type { Exchanger } from '../exchange/exchange.ts';
import { webNotice as notice, quoted } from '../exchange/features/web-search/found.ts';
import { ownFailure, searchServed } from '../exchange/features/web-search/port.ts';
import type { AskedHere, ServedHere } from '../exchange/own-requests.ts';
import type { Log } from '../ports.ts';
import type { Search } from '../search/search.ts';
import type { Page, PageOutcome, Pages } from '../web/pages.ts';
import { type AnswerTool, type FetchGiven, type SearchGiven, webServer } from './tools.ts';

export interface McpDependencies extends WebTools {
  version: string;
  log: Log;
}

/** Largest message, in bytes; queries are far smaller. */
const largestMessage = 256 * 1024;

/** One request of a client over HTTP; what it answers is MCP's own. */
export async function answerMcp(call: ClientCall, dependencies: McpDependencies): Promise<void> {
  const { version, log } = dependencies;
  const answer = answerTools(dependencies, call);
  const handler = createMcpHandler(() => webServer(version, answer), {
    // Its message may quote what was asked.
    onerror: ({ name }) => log.write('info', 'mcp.refused', { error: name }),
    maxRequestBodySize: largestMessage,
  });
  const request = new Request('http://127.0.0.1/mcp', {
    method: 'POST',
    headers: protocolHeaders(call.headers),
    // Of what is too large as much as shows that it is.
    body: new Uint8Array(call.body.subarray(0, largestMessage + 1)),
    signal: call.signal,
  });
  try {
    const response = await handler.fetch(request);
    call.answer.begin(response.status, Object.fromEntries(response.headers));
    await passOn(response.body, call.answer, call.signal);
  } catch (error) {
    // The client has left.
    if (!call.signal.aborted) throw error;
  } finally {
    call.answer.end();
    await handler.close();
  }
}

/** Headers without keys. */
function protocolHeaders(headers: ClientCall['headers']): Headers {
  const passed = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    const isProtocol = name === 'accept' || name === 'content-type' || name.startsWith('mcp-');
    if (isProtocol && typeof value === 'string') passed.set(name, value);
  }
  return passed;
}

/** Ends with the body, or when the client left. */
async function passOn(body: ReadableStream<Uint8Array> | null, answer: AnswerSink, signal: AbortSignal): Promise<void> {
  if (body === null) return;
  const reader = body.getReader();
  const leave = (): void => void reader.cancel().catch(() => undefined);
  signal.addEventListener('abort', leave);
  if (signal.aborted) leave();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      if (!answer.write(Buffer.from(part.value))) await new Promise<void>((resolve) => answer.drained(resolve));
    }
  } finally {
    signal.removeEventListener('abort', leave);
  }
}

interface WebTools {
  exchanger: Pick<Exchanger, 'here'>;
  search: Pick<Search, 'search'>;
  pages: Pick<Pages, 'read'>;
}

/**
 * Answers the tools here, each call with a row of its own. Nothing in MCP says which prompt it belongs to.
 * @param asked who calls them; its signal is aborted when the client left
 */
function answerTools({ exchanger, search, pages }: WebTools, asked: AskedHere): AnswerTool {
  const { signal } = asked;
  return (name, given) =>
    exchanger.here(asked, async (cause) => {
      if (isFetch(name, given)) {
        const page = await pages.read(given.url, given.start ?? 0, signal);
        return { result: pageResult(page), ...pageServed(page) };
      }
      const outcome = await search.search(queryOf(given), { signal, cause });
      return { result: searchResult(outcome), ...searchServed(outcome) };
    });
}

function isFetch(name: string, given: SearchGiven | FetchGiven): given is FetchGiven {
  return name === 'web_fetch' && 'url' in given;
}

function queryOf(given: SearchGiven): SearchQuery {
  const { query, allowed_domains: allowed = [], blocked_domains: blocked = [], count = usualResults } = given;
  return { query, allowed, blocked, location: null, count };
}

/** For the row: nothing of the address, which a reason may name. */
function pageServed(page: PageOutcome): Pick<ServedHere<unknown>, 'note' | 'failure'> {
  const note = { code: 'web-page', count: 1 };
  if (page.kind === 'page') return { note: { ...note, text: `page read: ${page.length} characters` }, failure: null };
  const failure = page.isRefused ? ownFailure(403, 'page-refused') : ownFailure(502, 'page-not-read');
  return { note: { ...note, text: 'page not read' }, failure };
}

/** What a search found, as text and as data: some clients show a model the one, some the other. */
function searchResult(outcome: SearchOutcome): CallToolResult {
  if (outcome.kind === 'failed') return failed(outcome.reason, outcome.remedy);
  const { engine, query, results, summary, notes } = outcome;
  const sources = results.map(({ title, url, pageAge, text }) => ({ title, url, page_age: pageAge, text }));
  return {
    content: [{ type: 'text', text: searchText(outcome) }],
    structuredContent: { notice, query, engine, summary, sources, notes },
  };
}

function searchText({ query, results, summary, notes }: SearchAnswer): string {
  if (results.length === 0 && summary === null) return [`No page was found for: ${query}`, ...notes].join('\n');
  const pages = results.map(({ title, url, pageAge, text }, index) =>
    [`${index + 1}. ${title}`, url, ...(pageAge === null ? [] : [pageAge]), text].join('\n'),
  );
  const found = [...(summary === null ? [] : [summary]), ...pages];
  return [`Results for: ${query}`, ...notes, quoted(found.join('\n\n'))].join('\n');
}

/** What a page says. Only as text: as data it would be there twice. */
function pageResult(outcome: PageOutcome): CallToolResult {
  if (outcome.kind === 'failed') return failed(outcome.reason, outcome.remedy);
  return { content: [{ type: 'text', text: pageText(outcome) }] };
}

function pageText({ url, title, text, from, length, notes }: Page): string {
  const said = title === null ? text : `${title}\n\n${text}`;
  const part = from > 0 ? [`From character ${from} of ${length}.`] : [];
  return [url, ...part, ...notes, quoted(said)].join('\n');
}

function failed(reason: string, remedy: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: `Jumpseat: ${reason} ${remedy}` }] };
}
