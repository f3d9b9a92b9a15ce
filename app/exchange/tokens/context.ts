import type { ContextPart, Shape } from '../../api/exchange.ts';
import { contextParts } from '../../api/names.ts';
import { isObject, type JsonObject } from '../../formats/wire/json.ts';
import { reminderOpens } from '../initiator/claude-code-texts.ts';
import { unknownImage } from './media.ts';

type Context = NonNullable<NonNullable<Shape['request']>['context']>;

/**
 * What a body of any of the APIs fills the model's context with, in tokens by the length of its texts: nothing is
 * encoded, and no text copied. Their sum isn't Copilot's count, which they are scaled to where they are shown. Null if
 * nothing is in it.
 */
export function contextOf(body: unknown): Context | null {
  if (!isObject(body)) return null;
  const sizes = new Sizes();
  sizes.text('system', body.system ?? body.instructions);
  for (const tool of listOf(body.tools)) sizes.tool(tool);
  const messages = body.messages ?? body.input;
  if (typeof messages === 'string') sizes.text('user', messages);
  for (const message of listOf(messages)) if (isObject(message)) sizes.message(message);
  const parts = sizes.parts();
  const room = body.max_tokens ?? body.max_completion_tokens ?? body.max_output_tokens;
  if (parts === null) return null;
  return { parts, room: Number.isSafeInteger(room) ? Number(room) : null };
}

const charactersPerToken = 4;
/** About 15 pages a megabyte, with the least that Anthropic names for a page. */
const base64PerDocumentToken = 44;
/** Deeper values count as nothing: no schema or argument of a tool is as deep. */
const deepest = 64;

class Sizes {
  readonly #characters: Partial<Record<ContextPart, number>> = {};

  parts(): Context['parts'] | null {
    const parts: Context['parts'] = {};
    for (const part of contextParts) {
      const tokens = threeDigits((this.#characters[part] ?? 0) / charactersPerToken);
      if (tokens > 0) parts[part] = tokens;
    }
    return Object.keys(parts).length === 0 ? null : parts;
  }

  tool(tool: unknown): void {
    if (!isObject(tool)) return;
    const name = tool.name ?? (isObject(tool.function) ? tool.function.name : null);
    const isMcp = tool.type === 'mcp' || (typeof name === 'string' && name.startsWith('mcp__'));
    this.#add(isMcp ? 'mcp' : 'tools', jsonLength(tool, 0));
  }

  message({ role, type, content, ...rest }: JsonObject): void {
    const part = typeof role === 'string' ? partsOfRoles[role] : undefined;
    if (part !== undefined) {
      this.text(part, content);
      if (rest.tool_calls !== undefined) this.#add(part, jsonLength(rest.tool_calls, 0));
    } else if (typeof type !== 'string') return;
    // Items of Responses.
    else if (type.endsWith('_output')) this.text('results', rest.output);
    else this.#add('assistant', jsonLength({ ...rest, content }, 0));
  }

  /** A string or a list of blocks. */
  text(part: ContextPart, content: unknown): void {
    if (typeof content === 'string') this.#words(part, content);
    else for (const block of listOf(content)) if (isObject(block)) this.#block(part, block);
  }

  #block(part: ContextPart, block: JsonObject): void {
    const { type, text } = block;
    if (typeof text === 'string') this.#words(part, text);
    else if (type === 'image' || type === 'image_url' || type === 'input_image')
      this.#add('images', unknownImage * charactersPerToken);
    else if (type === 'document' || type === 'file' || type === 'input_file') this.#document(block);
    else if (type === 'thinking') this.#add(part, lengthOf(block.thinking));
    else if (typeof type === 'string' && type.endsWith('tool_result')) this.#result(block.content);
    else this.#add(part, jsonLength(block, 0));
  }

  #result(content: unknown): void {
    if (isObject(content)) this.#add('results', jsonLength(content, 0));
    else this.text('results', content);
  }

  /** Its text, or by the size of its base64. */
  #document({ source, file, file_data: data }: JsonObject): void {
    const from = isObject(source) ? source : isObject(file) ? file : null;
    const base64 = from?.type === 'base64' ? from.data : (from?.file_data ?? data);
    if (typeof base64 === 'string') this.#add('images', (base64.length / base64PerDocumentToken) * charactersPerToken);
    else this.text('images', from?.data ?? from?.content);
  }

  #words(part: ContextPart, text: string): void {
    this.#add(part === 'user' && text.startsWith(reminderOpens) ? 'memory' : part, text.length);
  }

  #add(part: ContextPart, characters: number): void {
    this.#characters[part] = (this.#characters[part] ?? 0) + characters;
  }
}

const partsOfRoles: Readonly<Record<string, ContextPart>> = {
  system: 'system',
  developer: 'system',
  user: 'user',
  assistant: 'assistant',
  tool: 'results',
};

/** No model reads it: what only its vendor can decrypt. */
const sealed: ReadonlySet<string> = new Set(['signature', 'encrypted_content', 'data', 'cache_control']);

/** No estimate knows more digits, and a row of the history keeps no more. */
function threeDigits(tokens: number): number {
  const zeros = Math.max(0, String(Math.round(tokens)).length - 3);
  return Math.round(tokens / 10 ** zeros) * 10 ** zeros;
}

/** About the length of a value's JSON, without making it. */
function jsonLength(value: unknown, depth: number): number {
  if (typeof value === 'string') return value.length + 2;
  if (depth > deepest) return 0;
  let length = 2;
  if (Array.isArray(value)) for (const one of value) length += jsonLength(one, depth + 1) + 1;
  else if (isObject(value))
    for (const key in value)
      if (!sealed.has(key)) length += key.length + 4 + jsonLength(value[key], depth + 1);
      else length += 2;
  return length;
}

function lengthOf(value: unknown): number {
  return typeof value === 'string' ? value.length : 0;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
