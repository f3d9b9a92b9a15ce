import type { Shape } from '../../api/exchange.ts';
import { isObject, type JsonObject } from '../../formats/wire/json.ts';

/** What a request is made of, without any text of it. Reads a body of any of the APIs; looks at every block once. */
export function requestShape(body: unknown, bytes: number): NonNullable<Shape['request']> {
  if (!isObject(body)) return { bytes, messages: {}, tools: 0, images: 0, thinking: null };
  const messages: Record<string, number> = {};
  let images = 0;
  for (const message of listOf(body.messages ?? body.input)) {
    if (!isObject(message)) continue;
    const role = nameOf(message.role ?? message.type);
    messages[role] = (messages[role] ?? 0) + 1;
    images += imagesIn(message.content ?? message.output);
  }
  return { bytes, messages, tools: listOf(body.tools).length, images, thinking: thinkingOf(body) };
}

const imageTypes = new Set(['image', 'image_url', 'input_image']);

function imagesIn(content: unknown): number {
  let count = 0;
  for (const block of listOf(content)) {
    if (!isObject(block)) continue;
    if (typeof block.type === 'string' && imageTypes.has(block.type)) count += 1;
    else if (block.type === 'tool_result') count += imagesIn(block.content);
  }
  return count;
}

/** `adaptive, effort high`, `8000 tokens`; null where none was asked for. */
function thinkingOf({
  thinking,
  output_config: output,
  reasoning,
  reasoning_effort: plain,
}: JsonObject): string | null {
  const parts: string[] = [];
  if (isObject(thinking) && thinking.type !== 'disabled') {
    parts.push(typeof thinking.budget_tokens === 'number' ? `${thinking.budget_tokens} tokens` : nameOf(thinking.type));
  }
  const effort = isObject(output) ? output.effort : isObject(reasoning) ? reasoning.effort : plain;
  if (typeof effort === 'string') parts.push(`effort ${nameOf(effort)}`);
  return parts.length === 0 ? null : parts.join(', ');
}

const durations = 'x-claude-code-prev-tool-durations';
const mostTools = 64;

/**
 * `Bash=24;Read=3`: the tools that ran before this request, and how many ms each took. What is no such list says
 * nothing.
 */
export function toolsBefore(headers: Readonly<Record<string, string | string[] | undefined>>): Shape['toolsBefore'] {
  const value = headers[durations];
  if (typeof value !== 'string') return [];
  return value
    .split(';', mostTools)
    .map((part) => /^\s*([\w.:-]{1,100})=(\d{1,9}(?:\.\d{1,6})?)\s*$/.exec(part))
    .filter((match) => match !== null)
    .map(([, name = '', took]) => ({ name, took: Number(took) }));
}

/** A name that the format has. Any other is the client's own text, and could hold content. */
function nameOf(value: unknown): string {
  return typeof value === 'string' && /^[a-z_-]{1,32}$/.test(value) ? value : 'other';
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
