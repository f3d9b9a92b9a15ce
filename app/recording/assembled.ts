import { isObject, type JsonObject, parseObject } from '../formats/wire/json.ts';
import { SseFeed } from '../formats/wire/sse.ts';

/** A piece of an answer: its kind (`text`, `thinking`, `tool_use Read`) and what it says. */
interface Piece {
  kind: string;
  text: string;
}

/**
 * An answer put together for reading, also one that was cut: its pieces in their order, each below its kind. Reads the
 * events of all three formats; what is no stream of events comes out as JSON. Nothing is made up for what is missing.
 */
export function assembled(text: string): string {
  if (!isEvents(text)) return indentJson(text);
  const answer = new Answer();
  const feed = new SseFeed((_event, data) => {
    const value = parseObject(data);
    if (value !== null) answer.take(value);
    return true;
  });
  const bytes = Buffer.from(text);
  feed.push(bytes);
  feed.end();
  return answer.text();
}

function isEvents(text: string): boolean {
  return /^(?:\uFEFF|\s)*(?:event|data|:)/.test(text.slice(0, 200));
}

class Answer {
  readonly #pieces = new Map<string, Piece>();
  #end: string | null = null;

  take(event: JsonObject): void {
    if (Array.isArray(event.choices)) for (const choice of event.choices) this.#choice(choice);
    else if (isObject(event.error)) this.#error(event.error);
    else if (typeof event.type === 'string' && event.type.startsWith('response.')) this.#response(event.type, event);
    else if (typeof event.type === 'string') this.#message(event.type, event);
  }

  text(): string {
    const parts = [...this.#pieces.values()].map(({ kind, text }) => `— ${kind} —\n${text}\n`);
    return [...parts, ...(this.#end === null ? [] : [`— ${this.#end} —`])].join('\n');
  }

  #message(type: string, { index, content_block: block, delta }: JsonObject): void {
    const place = `block ${String(index)}`;
    if (type === 'content_block_start' && isObject(block)) {
      this.#name(place, named(block.type, block.name));
      this.#add(place, block.text ?? block.thinking ?? '');
    } else if (type === 'content_block_delta' && isObject(delta)) {
      this.#add(place, delta.text ?? delta.thinking ?? delta.partial_json ?? '');
    } else if (type === 'content_block_stop') this.#finish(place);
    else if (type === 'message_delta' && isObject(delta)) this.#stopped('stop_reason', delta.stop_reason);
  }

  #choice(choice: unknown): void {
    if (!isObject(choice)) return;
    const { delta } = choice;
    if (isObject(delta)) {
      if (typeof delta.reasoning_text === 'string') this.#say('reasoning', delta.reasoning_text);
      if (typeof delta.content === 'string') this.#say('text', delta.content);
      if (typeof delta.refusal === 'string') this.#say('refusal', delta.refusal);
      for (const call of Array.isArray(delta.tool_calls) ? delta.tool_calls : []) this.#call(call);
    }
    this.#stopped('finish_reason', choice.finish_reason);
  }

  /** Some models give all their calls the same index; a new id begins a new call. */
  #call(call: unknown): void {
    if (!isObject(call) || !isObject(call.function)) return;
    const { name, arguments: json } = call.function;
    const begins = typeof name === 'string' && name !== '';
    if (begins) this.#name(`call ${this.#pieces.size}`, named('tool_call', name));
    const last = [...this.#pieces.keys()].findLast((key) => key.startsWith('call '));
    if (last !== undefined) this.#add(last, json ?? '');
  }

  #response(type: string, event: JsonObject): void {
    const { item, delta, response } = event;
    const place = `item ${String(event.output_index)}`;
    if (type === 'response.output_item.added' && isObject(item)) this.#name(place, named(item.type, item.name));
    else if (type.endsWith('.delta')) this.#add(place, delta ?? '');
    else if (type === 'response.output_item.done') this.#finish(place);
    else if (isObject(response) && ends.has(type)) {
      if (isObject(response.error)) this.#error(response.error);
      this.#stopped('status', response.status);
    }
  }

  #error(error: JsonObject): void {
    this.#say('error', indentJson(JSON.stringify(error)));
  }

  /** More of the last piece of a kind, unless another one came in between. */
  #say(kind: string, text: string): void {
    if (text === '') return;
    const last = [...this.#pieces.keys()].at(-1);
    const place = last !== undefined && this.#pieces.get(last)?.kind === kind ? last : `said ${this.#pieces.size}`;
    if (place !== last) this.#name(place, kind);
    this.#add(place, text);
  }

  #name(place: string, kind: string): void {
    this.#pieces.set(place, { kind, text: this.#pieces.get(place)?.text ?? '' });
  }

  #add(place: string, text: unknown): void {
    const piece = this.#pieces.get(place);
    if (piece !== undefined && typeof text === 'string') piece.text += text;
  }

  /** The input of a tool, which came in pieces, can be read now. */
  #finish(place: string): void {
    const piece = this.#pieces.get(place);
    if (piece !== undefined && /^(?:tool_use|function_call)/.test(piece.kind)) piece.text = indentJson(piece.text);
  }

  #stopped(name: string, reason: unknown): void {
    if (typeof reason === 'string') this.#end = `${name}: ${reason}`;
  }
}

const ends = new Set(['response.completed', 'response.incomplete', 'response.failed', 'response.cancelled']);

function named(type: unknown, name: unknown): string {
  const kind = typeof type === 'string' ? type : 'block';
  return typeof name === 'string' && name !== '' ? `${kind} ${name}` : kind;
}

/**
 * JSON with line ends and indents, all else exactly as it was: no digit, escape or order changes. What is not JSON
 * comes out as it went in, or with some line ends more.
 */
export function indentJson(text: string): string {
  const first = text.trimStart()[0];
  if (first !== '{' && first !== '[') return text;
  const out: string[] = [];
  let depth = 0;
  for (let at = 0; at < text.length; ) {
    const char = text[at] ?? '';
    if (char === '"') {
      const end = stringEnd(text, at);
      out.push(text.slice(at, end));
      at = end;
      continue;
    }
    at += 1;
    switch (char) {
      case '{':
      case '[': {
        const inside = skipSpace(text, at);
        const closing = text[inside];
        if (closing === '}' || closing === ']') {
          out.push(char, closing);
          at = inside + 1;
          break;
        }
        depth += 1;
        out.push(char, lineEnd(depth));
        break;
      }
      case '}':
      case ']':
        depth = Math.max(0, depth - 1);
        out.push(lineEnd(depth), char);
        break;
      case ',':
        out.push(char, lineEnd(depth));
        break;
      case ':':
        out.push(': ');
        break;
      case ' ':
      case '\n':
      case '\r':
      case '\t':
        // Several values one after the other, each on a line of its own.
        if (depth === 0 && char === '\n') out.push(char);
        break;
      default:
        out.push(char);
    }
  }
  return out.join('');
}

const deepest = 40;

function lineEnd(depth: number): string {
  return `\n${'  '.repeat(Math.min(depth, deepest))}`;
}

function stringEnd(text: string, from: number): number {
  for (let at = from + 1; ; ) {
    const end = text.indexOf('"', at);
    if (end === -1) return text.length;
    let slashes = 0;
    while (text[end - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return end + 1;
    at = end + 1;
  }
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at += 1;
  return at;
}
