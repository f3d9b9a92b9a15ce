import { type Block, isToolResultBlock, type Message, type MessagesRequest } from '../../formats/messages/request.ts';
import { changed, type FitResult, unchanged } from './fit.ts';

/**
 * Results of tool calls stand before anything else of the user's turn, which may be several messages: Anthropic's API refuses "`tool_result` blocks must
 * come before any other content", and Chat Completions takes nothing between a call and its result. A late one moves to the turn's first message.
 */
export function toolResultsFirst(request: MessagesRequest): FitResult {
  const late = lateResults(request.messages);
  if (late.length === 0) return unchanged(request);
  const moved = new Set(late.map(({ block }) => block));
  const byTurn = Map.groupBy(late, ({ turn }) => turn);
  const messages = request.messages.flatMap((message, index): Message[] => {
    if (message.role !== 'user') return [message];
    const given: Block[] =
      typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : message.content;
    const results = byTurn.get(index)?.map(({ block }) => block) ?? [];
    if (results.length === 0 && !given.some((block) => moved.has(block))) return [message];
    const stays = given.filter((block) => !moved.has(block));
    const other = stays.findIndex((block) => !isToolResultBlock(block));
    const content = stays.toSpliced(other === -1 ? stays.length : other, 0, ...results);
    return content.length === 0 ? [] : [{ ...message, content }];
  });
  return changed({ ...request, messages }, 'tool-result-moved', 'tool result moved before other content', late.length);
}

interface LateResult {
  block: Block;
  /** Place of the turn's first message. */
  turn: number;
}

function lateResults(messages: readonly Message[]): LateResult[] {
  const late: LateResult[] = [];
  let turn = -1;
  let others = false;
  for (const [index, { role, content }] of messages.entries()) {
    if (role === 'assistant') turn = -1;
    if (role !== 'user') continue;
    if (turn === -1) {
      turn = index;
      others = false;
    }
    if (typeof content === 'string') {
      others = true;
      continue;
    }
    for (const block of content) {
      if (!isToolResultBlock(block)) others = true;
      else if (others) late.push({ block, turn });
    }
  }
  return late;
}
