import type { FitNote } from '../../api/exchange.ts';
import type { ChatPath } from '../../copilot/catalog.ts';
import { type Block, isBlock, type Message, type MessagesRequest, type Tool } from '../../formats/messages/request.ts';
import { searchesAsCalls } from './history.ts';
import { isSearchTool, readSearchTool, type SearchTool } from './search-tool.ts';

/** A request whose model may search: it calls a function, and the search is made here. */
export interface Emulated {
  request: MessagesRequest;
  tool: SearchTool;
  /** The model cites pages by itself, as Claude does on its own path. */
  cites: boolean;
  note: FitNote;
}

const note: FitNote = { code: 'web-search-here', count: 1, text: 'web search told as a function, done here' };

/** Null: the request offers no search. The request that was given is not written to. */
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
    'Searches the web and gives the pages that were found, with what they say about the query. For what is newer than',
    'your own knowledge, and for facts that have to be right.',
    ...(allowed.length === 0 ? [] : [`Only pages of ${allowed.join(', ')} are found.`]),
    ...(blocked.length === 0 ? [] : [`No pages of ${blocked.join(', ')} are found.`]),
    ...(cites ? [] : ['Name the pages that your answer rests on, as Markdown links with their addresses.']),
  ];
  const query = { type: 'string', description: 'What to look for, in a few words.' };
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
