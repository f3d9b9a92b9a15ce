import {
  type Block,
  isToolResultBlock,
  isToolUseBlock,
  type Message,
  type MessagesRequest,
} from '../../formats/messages/request.ts';
import { changed, type FitResult, unchanged } from './fit.ts';

/**
 * "tool_use ids were found without tool_result blocks immediately after": a call whose result was never recorded (a crash, a rewound
 * session) gets one that says so, in the user message right after it, or in one of its own (github/copilot-cli#762, anthropics/claude-code#7796).
 */
export function addMissingToolResults(request: MessagesRequest): FitResult {
  const missing = missingResults(request.messages);
  if (missing.size === 0) return unchanged(request);
  const messages: Message[] = [];
  let added = 0;
  for (const [index, message] of request.messages.entries()) {
    messages.push(message);
    const ids = missing.get(index);
    if (ids === undefined) continue;
    added += ids.length;
    if (message.role === 'user') messages[messages.length - 1] = withResults(message, ids);
    else messages.push({ role: 'user', content: ids.map(noResult) });
  }
  return changed({ ...request, messages }, 'missing-tool-result-added', 'missing tool result added', added);
}

/** Ids without a result, by the index of the message that gets them (the first user message of the answer) or that they follow. */
function missingResults(messages: readonly Message[]): Map<number, string[]> {
  const missing = new Map<number, string[]>();
  let open = new Set<string>();
  let place = -1;
  let answering = false;
  const settle = () => {
    if (open.size > 0) missing.set(place, [...open]);
    open = new Set();
    answering = false;
  };
  for (const [index, { role, content }] of messages.entries()) {
    if (role === 'assistant') {
      if (answering) settle();
      place = index;
      if (typeof content === 'string') continue;
      for (const block of content) if (isToolUseBlock(block)) open.add(block.id);
    } else if (role === 'user') {
      if (!answering) place = index;
      answering = true;
      if (open.size === 0 || typeof content === 'string') continue;
      for (const block of content) if (isToolResultBlock(block)) open.delete(block.tool_use_id);
    }
  }
  settle();
  return missing;
}

/** Behind the results that are there: those have to come first. */
function withResults(message: Message, ids: readonly string[]): Message {
  const content: Block[] =
    typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : message.content;
  const start = content.findIndex((block) => block.type !== 'tool_result');
  const at = start === -1 ? content.length : start;
  return { ...message, content: [...content.slice(0, at), ...ids.map(noResult), ...content.slice(at)] };
}

function noResult(id: string): Block {
  return { type: 'tool_result', tool_use_id: id, content: 'No result was recorded for this call.', is_error: true };
}
