import type { Block, Message, MessagesRequest } from '../../formats/messages/request.ts';
import { changed, type FitResult, unchanged } from './fit.ts';

/**
 * A message without anything in it is refused like an empty text block. It is dropped; messages of one role that meet over the gap become
 * one. A conversation has to begin with the user, and there has to be one: in those two places "(no content)" stands for what was empty.
 */
export function dropEmptyMessages(request: MessagesRequest): FitResult {
  if (!request.messages.some(isEmpty)) return unchanged(request);
  const messages: Message[] = [];
  let dropped = 0;
  let gap = false;
  for (const message of request.messages) {
    if (isEmpty(message)) {
      dropped += 1;
      gap = true;
      continue;
    }
    const before = messages.at(-1);
    if (gap && before?.role === message.role) messages[messages.length - 1] = joined(before, message);
    else messages.push(message);
    gap = false;
  }
  const first = messages[0];
  if (first === undefined || (first.role === 'assistant' && request.messages[0]?.role !== 'assistant')) {
    messages.unshift({ role: 'user', content: [{ type: 'text', text: '(no content)' }] });
  }
  return changed({ ...request, messages }, 'empty-message-dropped', 'empty message dropped', dropped);
}

function isEmpty({ content }: Message): boolean {
  return typeof content === 'string' ? !/\S/.test(content) : content.length === 0;
}

function joined(before: Message, after: Message): Message {
  return { ...before, content: [...blocksOf(before), ...blocksOf(after)] };
}

function blocksOf({ content }: Message): Block[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}
