import { blocksOf, isTextBlock, type MessagesRequest } from '../../formats/messages/request.ts';
import { sideTexts } from '../initiator/claude-code-texts.ts';
import { isSearchTool, readSearchTool, type SearchTool } from './search-tool.ts';

/** A request that is one search and nothing else. */
export interface SideSearch {
  query: string;
  tool: SearchTool;
}

const prefix = sideTexts['web search'];

/**
 * Claude Code's WebSearch is a request of its own: one message and the search as the only tool, with the order to call
 * it (`claude-code-2.1.328-auxiliary-web-search`), but for models that it does not know. What is searched for stands
 * behind a prefix; under an order without one, all that was said is the query. Null: a model has to be asked.
 */
export function readSideSearch({ messages, tools, tool_choice: choice }: MessagesRequest): SideSearch | null {
  const [tool] = Array.isArray(tools) ? tools : [];
  const [message] = messages;
  if (tools?.length !== 1 || !isSearchTool(tool) || messages.length !== 1 || message?.role !== 'user') return null;
  const said: string[] = [];
  for (const [, block] of blocksOf(message.content)) {
    if (!isTextBlock(block)) return null;
    said.push(block.text);
  }
  const marked = said.find((text) => text.trimStart().startsWith(prefix));
  const ordered = choice?.type === 'any' || (choice?.type === 'tool' && choice.name === tool.name);
  if (!ordered && marked === undefined) return null;
  const query = marked === undefined ? said.join('\n') : marked.trimStart().slice(prefix.length);
  return { query: query.trim(), tool: readSearchTool(tool) };
}
