import { type BodyView, bodyViewSchema, type RecordedBody } from '../api/recording.ts';
import { isObject, type JsonObject, parseObject } from '../formats/wire/json.ts';
import { SseFeed } from '../formats/wire/sse.ts';
import type { Bodies, Part } from './bodies.ts';

/** Longer bodies are cut, unless all is asked for. */
const cutFrom = 1_000_000;
const cutTo = 256_000;

/** A body as a person reads it. Null if there is none of that kind. Throws nothing that a body could cause. */
export async function shownBody(
  bodies: Bodies,
  view: BodyView,
  options: { whole: boolean; redact: (text: string) => string },
): Promise<RecordedBody | null> {
  const { text, bytes, isBegin } = (await textOf(bodies, view, options)) ?? { text: null, bytes: 0, isBegin: false };
  if (text === null) return null;
  if (options.whole || (!isBegin && bytes <= cutFrom)) return { text, bytes, cut: false };
  return { text: text.slice(0, cutTo), bytes, cut: true };
}

/** True if the client's request or the answer's text contains these words, ignoring case. */
export async function saysWords(bodies: Bodies, words: string, redact: (text: string) => string): Promise<boolean> {
  const wanted = words.toLowerCase();
  if ((await bodies.read('received', redact))?.toLowerCase().includes(wanted) === true) return true;
  const answer = await bodies.read('answer', redact);
  return answer !== null && assembled(answer).toLowerCase().includes(wanted);
}

/** What can be looked at of an exchange. */
export function viewsOf(bodies: Bodies): BodyView[] {
  const has = (part: Part): boolean => bodies.sizeOf(part) !== null;
  const views: Readonly<Record<BodyView, boolean>> = {
    sent: has('sent'),
    received: has('received'),
    difference: has('sent') && has('received'),
    assembled: has('answer') || has('returned'),
    events: has('answer'),
    returned: has('returned'),
  };
  return bodyViewSchema.options.filter((view) => views[view]);
}

/** `bytes`: of the body, or of what was made of it. `isBegin`: the text is no more than its beginning. */
interface Shown {
  text: string;
  bytes: number;
  isBegin: boolean;
}

async function textOf(
  bodies: Bodies,
  view: BodyView,
  { whole, redact }: { whole: boolean; redact: (text: string) => string },
): Promise<Shown | null> {
  const read = (part: Part) => bodies.read(part, redact);
  switch (view) {
    case 'received':
    case 'sent':
    case 'returned': {
      const text = await read(view);
      if (text === null) return null;
      const bytes = bodies.sizeOf(view) ?? 0;
      const isBegin = !whole && bytes > cutFrom;
      // Line ends cost time, and what is not shown needs none.
      return { text: indentJson(isBegin ? text.slice(0, cutTo) : text), bytes, isBegin };
    }
    case 'difference': {
      const [before, after] = [await read('received'), await read('sent')];
      return before === null || after === null ? null : measured(difference(before, after));
    }
    case 'events':
      return measured(await read('answer'));
    case 'assembled': {
      const text = (await read('answer')) ?? (await read('returned'));
      return text === null ? null : measured(assembled(text));
    }
  }
}

function measured(text: string | null): Shown | null {
  return text === null ? null : { text, bytes: Buffer.byteLength(text), isBegin: false };
}

/**
 * What differs between two JSON texts, field by field: the path, the old value behind `−`, the new one behind `+`. Null
 * where one of them is not JSON. Lists are compared from both ends, so that what was put in or left out in between
 * stands alone.
 */
export function difference(before: string, after: string): string | null {
  const lines: string[] = [];
  try {
    compare('', JSON.parse(before), JSON.parse(after), lines);
  } catch {
    return null;
  }
  return lines.join('\n');
}

function compare(path: string, before: unknown, after: unknown, lines: string[]): void {
  if (Object.is(before, after)) return;
  if (Array.isArray(before) && Array.isArray(after)) compareLists(path, before, after, lines);
  else if (isObject(before) && isObject(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const place = path === '' ? key : `${path}.${key}`;
      if (!(key in after)) gone(place, before[key], lines);
      else if (key in before) compare(place, before[key], after[key], lines);
      else came(place, after[key], lines);
    }
  } else {
    lines.push(path, ...marked('−', before), ...marked('+', after), '');
  }
}

function compareLists(path: string, before: readonly unknown[], after: readonly unknown[], lines: string[]): void {
  const shorter = Math.min(before.length, after.length);
  let front = 0;
  if (before.length !== after.length) {
    while (front < shorter && isSame(before[front], after[front])) front += 1;
  }
  let back = 0;
  if (before.length !== after.length) {
    while (back < shorter - front && isSame(before.at(-1 - back), after.at(-1 - back))) back += 1;
  }
  const both = shorter - back;
  for (let at = front; at < both; at += 1) compare(`${path}[${at}]`, before[at], after[at], lines);
  for (let at = both; at < before.length - back; at += 1) gone(`${path}[${at}]`, before[at], lines);
  for (let at = both; at < after.length - back; at += 1) came(`${path}[${at}]`, after[at], lines);
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function gone(path: string, value: unknown, lines: string[]): void {
  lines.push(path, ...marked('−', value), '');
}

function came(path: string, value: unknown, lines: string[]): void {
  lines.push(path, ...marked('+', value), '');
}

function marked(mark: string, value: unknown): string[] {
  return JSON.stringify(value, null, 2)
    .split('\n')
    .map((line) => `${mark} ${line}`);
}

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
