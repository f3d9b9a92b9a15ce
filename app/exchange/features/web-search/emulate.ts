import type { FitNote } from '../../../api/exchange.ts';
import type { ChatPath } from '../../../copilot/catalog.ts';
import {
  type Block,
  isBlock,
  isTextBlock,
  type Message,
  type MessagesRequest,
  type Tool,
} from '../../../formats/messages/request.ts';
import { callId, decodeIndex, functionResult } from '../../../formats/messages/search-results.ts';
import { isObject, type JsonObject } from '../../../formats/wire/json.ts';
import { isSearchTool, readSearchTool, type SearchTool } from './tool.ts';

/** A request whose model may search: it calls a function, and the search is made here. */
export interface Emulated {
  request: MessagesRequest;
  tool: SearchTool;
  /** The model cites pages by itself, as Claude does on its own path. */
  cites: boolean;
  note: FitNote;
}

const note: FitNote = {
  code: 'web-search-here',
  count: 1,
  text: 'web search offered as a function and run by Jumpseat',
};

/** Null if the request offers no search. The request that was given is not written to. */
export function emulateSearch(request: MessagesRequest, path: ChatPath): Emulated | null {
  const given = Array.isArray(request.tools) ? request.tools : [];
  const offered = given.find(isSearchTool);
  if (offered === undefined) return null;
  const tool = readSearchTool(offered);
  const cites = path === '/v1/messages' && !request.messages.some(hasUncitedPages);
  const tools = given.map((each) => (each === offered ? functionFor(offered, tool, cites) : each));
  const messages = searchesAsCalls(request.messages, cites);
  return { request: { ...request, tools, messages }, tool, cites, note };
}

function functionFor({ cache_control: mark }: Tool, { name, allowed, blocked }: SearchTool, cites: boolean): Tool {
  const words = [
    'Searches the web and returns the pages found, with what they say about the query. For what is newer than',
    'your own knowledge, and for facts that have to be right.',
    ...(allowed.length === 0 ? [] : [`Only pages of ${allowed.join(', ')} are found.`]),
    ...(blocked.length === 0 ? [] : [`No pages of ${blocked.join(', ')} are found.`]),
    ...(cites ? [] : ['Name the pages that your answer rests on, as Markdown links with their addresses.']),
  ];
  const query = { type: 'string', description: 'The search query, in a few words.' };
  return {
    name,
    description: words.join(' '),
    input_schema: { type: 'object', properties: { query }, required: ['query'], additionalProperties: false },
    ...(mark === undefined ? {} : { cache_control: mark }),
  };
}

/** Anthropic's API takes citations for all pages of a request or for none. */
function hasUncitedPages({ content }: Message): boolean {
  return typeof content !== 'string' && content.some(isUncited);
}

function isUncited(block: Block): boolean {
  if (!isBlock(block)) return false;
  if (block.type === 'tool_result') return Array.isArray(block.content) && block.content.some(isUncited);
  if (block.type !== 'search_result') return false;
  const { citations } = block;
  return !(typeof citations === 'object' && citations !== null && 'enabled' in citations && citations.enabled === true);
}

/**
 * A conversation with the searches in it that were made here, as the model saw them: calls of a function and their
 * results. A client has them in the middle of an assistant's message; between a call and what was said about its result
 * the message is parted. Results of others stay as they are. The very same list where there is nothing to do.
 * @param cited the model may cite the pages
 */
export function searchesAsCalls(messages: Message[], cited: boolean): Message[] {
  if (!messages.some(hasSearch)) return messages;
  const turns: Message[] = [];
  const sources: unknown[] = [];
  let results: Block[] = [];
  for (const message of messages) {
    if (message.role !== 'assistant' || typeof message.content === 'string') {
      turns.push(withResults(message, results));
      if (results.length > 0 && message.role !== 'user') turns.splice(-1, 0, { role: 'user', content: results });
      results = [];
      countSources(turns.at(-1)?.content, sources);
      continue;
    }
    if (results.length > 0) turns.push({ role: 'user', content: results });
    const parted = new Parted(message, cited);
    for (const block of message.content) parted.add(block);
    for (const turn of parted.turns) {
      turns.push(turn.role === 'assistant' ? withCitations(turn, sources) : turn);
      countSources(turn.content, sources);
    }
    results = parted.open;
  }
  if (results.length > 0) turns.push({ role: 'user', content: results });
  return turns;
}

function hasSearch({ role, content }: Message): boolean {
  return (
    role === 'assistant' &&
    typeof content !== 'string' &&
    content.some((block) => isBlock(block) && (block.type === 'web_search_tool_result' || isCited(block)))
  );
}

/** Results come first in a message of the user. */
function withResults(message: Message, results: Block[]): Message {
  if (results.length === 0 || message.role !== 'user') return message;
  const { content } = message;
  const said: Block[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  return { ...message, content: [...results, ...said] };
}

/** One assistant's message on its way to as many as there were answers of the model. */
class Parted {
  readonly turns: Message[] = [];
  /** Results that no message of the user has taken yet. */
  open: Block[] = [];
  readonly #message: Message;
  readonly #mine: ReadonlyMap<string, Block>;
  #said: Block[] = [];

  constructor(message: Message, cited: boolean) {
    this.#message = message;
    this.#mine = resultsIn(message, cited);
    this.turns.push({ ...message, content: this.#said });
  }

  add(block: Block): void {
    const result = isBlock(block) ? this.#mine.get(String(block.tool_use_id)) : undefined;
    if (result !== undefined && block.type === 'web_search_tool_result') {
      this.open.push(result);
      return;
    }
    const isCall = isBlock(block) && (block.type === 'server_tool_use' || block.type === 'tool_use');
    // What was said after a result is another answer of the model; calls beside a search belong to the same.
    if (this.open.length > 0 && !isCall) this.#part();
    this.#said.push(isBlock(block) && block.type === 'server_tool_use' ? this.#call(block) : block);
  }

  #call(block: Block): Block {
    const { id, name, input, cache_control: mark } = block;
    if (!this.#mine.has(String(id))) return block;
    const marked = mark === undefined ? {} : { cache_control: mark };
    return { type: 'tool_use', id: callId(String(id)), name, input: isObject(input) ? input : {}, ...marked };
  }

  #part(): void {
    this.turns.push({ role: 'user', content: this.open });
    this.open = [];
    this.#said = [];
    this.turns.push({ ...this.#message, content: this.#said });
  }
}

/** Results found here, by call id, for calls in the same message. */
function resultsIn({ content }: Message, cited: boolean): Map<string, Block> {
  const found = new Map<string, Block>();
  if (typeof content === 'string') return found;
  const calls = new Set(content.map((block) => (isBlock(block) && block.type === 'server_tool_use' ? block.id : null)));
  for (const block of content) {
    if (!isBlock(block) || block.type !== 'web_search_tool_result' || !calls.has(block.tool_use_id)) continue;
    const id = String(block.tool_use_id);
    const result = functionResult(block, callId(id), cited);
    if (result !== null) found.set(id, result);
  }
  return found;
}

function countSources(content: Message['content'] | undefined, sources: unknown[]): void {
  if (!Array.isArray(content)) return;
  for (const block of content) {
    if (!isBlock(block)) continue;
    if (block.type === 'search_result') sources.push(block.source);
    else if (block.type === 'tool_result' && Array.isArray(block.content)) countSources(block.content, sources);
  }
}

function isCited(block: Block): boolean {
  return isTextBlock(block) && Array.isArray(block.citations) && block.citations.some(isOfSearch);
}

function isOfSearch(citation: unknown): citation is JsonObject {
  return isObject(citation) && citation.type === 'web_search_result_location';
}

/** Citations of pages that are still there, as the model made them. The others are taken out by a fit. */
function withCitations(turn: Message, sources: readonly unknown[]): Message {
  if (typeof turn.content === 'string' || !turn.content.some((block) => isBlock(block) && isCited(block))) return turn;
  const content = turn.content.map((block) => {
    if (!isBlock(block) || !Array.isArray(block.citations)) return block;
    const citations: unknown[] = block.citations;
    return { ...block, citations: citations.map((each) => (isOfSearch(each) ? asCited(each, sources) : each)) };
  });
  return { ...turn, content };
}

function asCited(citation: JsonObject, sources: readonly unknown[]): JsonObject {
  const at = decodeIndex(citation.encrypted_index);
  if (at === null || sources[at.result] !== citation.url) return citation;
  const { url, title, cited_text } = citation;
  return {
    type: 'search_result_location',
    source: url,
    title,
    cited_text,
    search_result_index: at.result,
    start_block_index: at.from,
    end_block_index: at.to,
  };
}
