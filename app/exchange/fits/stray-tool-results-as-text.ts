import type { ToolResultBlock } from '../../formats/messages/request.ts';
import {
  type Block,
  isTextBlock,
  isToolResultBlock,
  isToolUseBlock,
  type MessagesRequest,
} from '../../formats/messages/request.ts';
import { mapKeeping } from './copy-on-write.ts';
import { changed, type FitResult, unchanged } from './fit.ts';
import { textInPlaceOf } from './text-in-place-of.ts';

/**
 * "unexpected tool_use_id": a tool result has to answer a call of the turn right before it, and each call once. A stray one becomes text in
 * its own message, so that nothing that was said is lost (github/copilot-cli#762, anthropics/claude-code#1237).
 */
export function strayToolResultsAsText(request: MessagesRequest): FitResult {
  let stray = 0;
  /** Calls of the last turn that have no result yet. */
  let open = new Set<string>();
  let lastRole = '';
  const messages = mapKeeping(request.messages, (message) => {
    if (message.role === 'assistant' && lastRole !== 'assistant') open = new Set();
    if (message.role !== 'system') lastRole = message.role;
    if (typeof message.content === 'string') return message;
    if (message.role === 'assistant') {
      for (const block of message.content) if (isToolUseBlock(block)) open.add(block.id);
      return message;
    }
    if (message.role !== 'user') return message;
    let texts: Block[] | null = null;
    for (const [index, block] of message.content.entries()) {
      const isStray = isToolResultBlock(block) && !open.delete(block.tool_use_id);
      if (isStray) {
        stray += 1;
        texts ??= message.content.slice(0, index);
        for (const text of asText(block)) texts.push(text);
      } else texts?.push(block);
    }
    return texts === null ? message : { ...message, content: resultsFirst(texts) };
  });
  if (stray === 0) return unchanged(request);
  return changed({ ...request, messages }, 'stray-tool-result-as-text', 'stray tool result turned into text', stray);
}

/** Images and documents of the result stay what they are, behind its text. */
function asText({ content, ...result }: ToolResultBlock): Block[] {
  const blocks = Array.isArray(content) ? content : [];
  const texts = typeof content === 'string' ? [content] : blocks.filter(isTextBlock).map((block) => block.text);
  const said = ['[result of a tool call that is not in this conversation]', ...texts].join('\n');
  return [textInPlaceOf(result, said), ...blocks.filter(({ type }) => type === 'image' || type === 'document')];
}

/** What became text may not stand before a result that is none. */
function resultsFirst(content: Block[]): Block[] {
  const results = content.filter(isToolResultBlock);
  return results.length === 0 ? content : [...results, ...content.filter((block) => !isToolResultBlock(block))];
}
