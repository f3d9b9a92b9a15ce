import type { FitNote } from '../../api/exchange.ts';
import type { CatalogModel } from '../../copilot/model-entry.ts';
import { type Block, isTextBlock, type Message, type MessagesRequest } from '../../formats/messages/request.ts';
import {
  type BlockChange,
  changed,
  type FitContext,
  type FitResult,
  mapKeeping,
  note,
  unchanged,
  without,
} from './fit.ts';

/** VS Code sends `system` as a list of blocks only; so does this. No note: the meaning is the same. */
export function systemAsBlocks(request: MessagesRequest): FitResult {
  if (typeof request.system !== 'string') return unchanged(request);
  return unchanged({ ...request, system: [{ type: 'text', text: request.system }] });
}

/**
 * Claude Code's first system block is a line for Anthropic's billing. It is none of Copilot's business, and older
 * clients changed it from turn to turn, which spoils the prompt cache of everything after it.
 */
export function removeAttribution(request: MessagesRequest): FitResult {
  if (!Array.isArray(request.system)) return unchanged(request);
  const [first, ...rest] = request.system;
  if (first === undefined || !isTextBlock(first) || !first.text.startsWith('x-anthropic-billing-header:')) {
    return unchanged(request);
  }
  const lineEnd = first.text.indexOf('\n');
  if (lineEnd !== -1) rest.unshift({ ...first, text: first.text.slice(lineEnd + 1) });
  const next = rest.length > 0 ? { ...request, system: rest } : without(request, 'system');
  return changed(next, 'attribution-removed', 'attribution block removed');
}

/** A system without blocks is no system. No note: what emptied it has said so. */
export function dropEmptySystem(request: MessagesRequest): FitResult {
  const empty = Array.isArray(request.system) && request.system.length === 0;
  return unchanged(empty ? without(request, 'system') : request);
}

/** Models before Claude 5 that were seen to take `role: "system"` inside `messages`; Sonnet 4.6 refuses it. */
const known: ReadonlySet<string> = new Set(['claude-opus-4.8']);

/** VS Code's own host for Claude Code sends them to Claude 5 as they are. A model that refuses them is a lesson. */
function takesSystemMessages({ model, learned }: FitContext): boolean {
  if (learned?.refusesSystemMessages === true) return false;
  return known.has(model.id) || (claudeVersion(model)?.[0] ?? 0) >= 5;
}

/**
 * "Unexpected role \"system\"": where the model takes no system message inside a conversation, its text becomes a
 * reminder at the end of the user message right before it; else at the start of the user message right after it, behind
 * the tool results that have to come first there; else a user message of its own. So it stays where it was, and the
 * cached prefix stays equal from turn to turn.
 */
export function foldSystemMessages(request: MessagesRequest, context: FitContext): FitResult {
  if (takesSystemMessages(context) || !request.messages.some(isSystem)) return unchanged(request);
  const folding = new Folding();
  for (const message of request.messages) folding.take(message);
  return { ok: true, request: { ...request, messages: folding.done() }, notes: folding.notes() };
}

class Folding {
  readonly #out: Message[] = [];
  /** Reminders that wait for the user message after them. */
  #waiting: Block[] = [];
  #folded = 0;
  #empty = 0;
  #efforts = 0;

  take(message: Message): void {
    if (!isSystem(message)) {
      this.#pass(message);
      return;
    }
    if (message.output_config !== undefined) this.#efforts += 1;
    const reminder = reminderOf(message);
    if (reminder === null) {
      this.#empty += 1;
      return;
    }
    this.#folded += 1;
    const before = this.#out.at(-1);
    if (before?.role !== 'user' || this.#waiting.length > 0) this.#waiting.push(reminder);
    else this.#out[this.#out.length - 1] = { ...before, content: [...blocksOf(before), reminder] };
  }

  done(): Message[] {
    this.#own();
    return this.#out;
  }

  notes(): FitNote[] {
    const notes: FitNote[] = [];
    if (this.#folded > 0) notes.push(note('system-messages-folded', 'system messages folded', this.#folded));
    if (this.#empty > 0) notes.push(note('empty-message-dropped', 'empty message dropped', this.#empty));
    if (this.#efforts > 0) notes.push(note('message-effort-removed', 'per-message effort removed', this.#efforts));
    return notes;
  }

  #pass(message: Message): void {
    if (this.#waiting.length > 0 && message.role === 'user') {
      const content = blocksOf(message);
      const start = content.findIndex((block) => block.type !== 'tool_result');
      const at = start === -1 ? content.length : start;
      this.#out.push({ ...message, content: [...content.slice(0, at), ...this.#waiting, ...content.slice(at)] });
      this.#waiting = [];
      return;
    }
    this.#own();
    this.#out.push(message);
  }

  #own(): void {
    if (this.#waiting.length > 0) this.#out.push({ role: 'user', content: this.#waiting });
    this.#waiting = [];
  }
}

function isSystem(message: Message): boolean {
  return message.role === 'system';
}

/** One block with all its text; the newest cache mark goes with it. Null if it says nothing. */
function reminderOf(message: Message): Block | null {
  const blocks = blocksOf(message);
  const text = blocks
    .filter(isTextBlock)
    .map((block) => block.text)
    .join('\n');
  if (!/\S/.test(text)) return null;
  const reminder: Block = { type: 'text', text: `<system-reminder>\n${text}\n</system-reminder>` };
  const marked = blocks.findLast((block) => block.cache_control !== undefined);
  return marked === undefined ? reminder : { ...reminder, cache_control: marked.cache_control };
}

function blocksOf(message: Message): Block[] {
  if (typeof message.content !== 'string') return message.content;
  return /\S/.test(message.content) ? [{ type: 'text', text: message.content }] : [];
}

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
