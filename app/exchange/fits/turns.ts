import type { CatalogModel } from '../../copilot/model.ts';
import { type Block, isTextBlock, type Message, type MessagesRequest } from '../../formats/messages/request.ts';
import { type BlockChange, changed, type FitContext, type FitResult, mapKeeping, note, unchanged } from './fit.ts';

const knownRoles = new Set(['user', 'assistant', 'system']);

/** The other APIs have no further roles; whatever looks at turns afterwards has to see the one that is sent. */
export function otherRolesAsUser(request: MessagesRequest): FitResult {
  let other = 0;
  const messages = mapKeeping(request.messages, (message): Message => {
    if (knownRoles.has(message.role)) return message;
    other += 1;
    return { ...message, role: 'user' };
  });
  if (other === 0) return unchanged(request);
  return changed({ ...request, messages }, 'role', 'unknown role sent as user', other);
}

const dropped = note('empty-text-dropped', 'empty text dropped');

/** "text content blocks must contain non-whitespace text", on both paths. */
export function dropEmptyText(block: Block): BlockChange | null {
  if (!isTextBlock(block) || /\S/.test(block.text)) return null;
  return { ok: true, block: null, note: dropped };
}

/**
 * A message without anything in it is refused like an empty text block. It is dropped; messages of one role that meet
 * over the gap become one. A conversation has to begin with the user, and there has to be one: in those two places "(no
 * content)" stands for what was empty.
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

/** `claude-sonnet-4.6` → 4.6 as [4, 6]; null for what is no Claude or is named otherwise. */
export function claudeVersion(model: CatalogModel): [major: number, minor: number] | null {
  const found = /^claude-[a-z]+-(\d+)(?:[.-](\d{1,2}))?(?:-|$)/.exec(model.id);
  return found === null ? null : [Number(found[1]), Number(found[2] ?? 0)];
}

/**
 * Since 4.6 a Claude refuses a conversation that ends with an answer prepared for it (anthropics/claude-code#52433).
 * Older ones go on from it.
 */
export function continueAfterPrefill(request: MessagesRequest, { model }: FitContext): FitResult {
  if (request.messages.at(-1)?.role !== 'assistant') return unchanged(request);
  const version = claudeVersion(model);
  if (version === null || version[0] < 4 || (version[0] === 4 && version[1] < 6)) return unchanged(request);
  const next = { role: 'user', content: [{ type: 'text', text: 'Please continue.' }] };
  const messages = [...request.messages, next];
  return changed({ ...request, messages }, 'continue-message-added', 'prefill: continue message added');
}
