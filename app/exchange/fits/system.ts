import type { FitNote } from '../../api/exchange.ts';
import { type Block, isTextBlock, type Message, type MessagesRequest } from '../../formats/messages/request.ts';
import { changed, type FitContext, type FitResult, note, unchanged, without } from './fit.ts';
import { claudeVersion } from './turns.ts';

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
