import { setImmediate as turn } from 'node:timers/promises';
import type { MessagesRequest } from '../../formats/messages/request.ts';
import { isObject } from '../../formats/wire/json.ts';
import { imageTokens, pdfTokens } from './media.ts';

/**
 * Tokens of a request, counted on this machine, for when Copilot does not count: o200k tokens (the tokenizer its
 * catalog names for all models, Claude included) of all text, tool schemas, tool calls and results, and images by their
 * size. An estimate, never rounded up.
 *
 * The encoding is loaded at the first call. Of a long request only `exactCharacters` are encoded, in slices spread
 * evenly over it, and the rest is taken to be as dense: that bounds the time, whatever comes. Between slices other work
 * gets its turn.
 */
export async function estimateTokens(request: MessagesRequest): Promise<number> {
  const parts = new Parts();
  parts.text(request.system);
  parts.list(request.tools, (tool) => parts.json(tool));
  for (const message of request.messages) parts.text(message.content);
  return parts.tokens + (await tokensOf(parts.texts));
}

/** Takes about 0.1 s of text, and 0.2 s of the worst there is. */
const exactCharacters = 1024 * 1024;

/** Short enough that no slice holds up the loop, and that a run without a break in it costs no more than it should. */
const sliceLength = 2048;

async function tokensOf(texts: readonly string[]): Promise<number> {
  const slices = texts.flatMap(slicesOf);
  const characters = slices.reduce((sum, slice) => sum + slice.length, 0);
  if (characters === 0) return 0;
  const { clearMergeCache, countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
  const share = Math.min(1, exactCharacters / characters);
  let encoded = 0;
  let tokens = 0;
  let passed = 0;
  let sinceTurn = 0;
  for (const slice of slices) {
    passed += slice.length;
    // Keeps what was encoded in step with what was passed.
    if (encoded >= passed * share) continue;
    tokens += countTokens(slice, plain);
    encoded += slice.length;
    sinceTurn += slice.length;
    if (sinceTurn < 8 * sliceLength) continue;
    sinceTurn = 0;
    await turn();
  }
  // The cache would keep pieces of the conversation, and through them all of it, in memory.
  clearMergeCache();
  return Math.round((tokens * characters) / encoded);
}

/** Text such as `<|endoftext|>` is text here. */
const plain = { disallowedSpecial: new Set<string>() };

function slicesOf(text: string): string[] {
  const slices: string[] = [];
  for (let start = 0; start < text.length; ) {
    const slice = text.slice(start, start + sliceLength);
    const whole = start + slice.length === text.length ? slice : slice.slice(0, breakIn(slice));
    slices.push(whole);
    start += whole.length;
  }
  return slices;
}

/**
 * Where to cut: before the last space or line, which costs no extra token; else where no surrogate pair is cut in half.
 */
function breakIn(slice: string): number {
  const space = Math.max(slice.lastIndexOf(' '), slice.lastIndexOf('\n'));
  if (space > sliceLength / 2) return space;
  return isHighSurrogate(slice.charCodeAt(slice.length - 1)) ? slice.length - 1 : slice.length;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

/** What a request holds, sorted into text to encode and tokens that are known. */
class Parts {
  readonly texts: string[] = [];
  tokens = 0;

  /** A string or a list of blocks. */
  text(content: unknown): void {
    if (typeof content === 'string') this.texts.push(content);
    else this.list(content, (block) => this.block(block));
  }

  list(value: unknown, each: (item: unknown) => void): void {
    if (Array.isArray(value)) for (const item of value) each(item);
  }

  /** Counts a value in its form on the wire; nothing for a value without JSON. */
  json(value: unknown): void {
    const text = JSON.stringify(value);
    if (text !== undefined) this.texts.push(text);
  }

  block(block: unknown): void {
    if (!isObject(block)) return;
    switch (block.type) {
      case 'text':
        this.text(block.text);
        return;
      case 'thinking':
        this.text(block.thinking);
        return;
      // Encrypted: what it stands for cannot be known.
      case 'redacted_thinking':
        return;
      case 'tool_use':
        this.text(block.name);
        this.json(block.input);
        return;
      case 'tool_result':
        this.text(block.content);
        return;
      case 'image':
        this.tokens += imageTokens(isObject(block.source) ? block.source.data : null);
        return;
      case 'document':
        this.document(block);
        return;
      default:
        this.json(block);
    }
  }

  document(block: Record<string, unknown>): void {
    this.text(block.title);
    this.text(block.context);
    if (!isObject(block.source)) return;
    if (block.source.type === 'base64') this.tokens += pdfTokens(block.source.data);
    else this.text(block.source.type === 'text' ? block.source.data : block.source.content);
  }
}
