import type { AnswerReader } from '../../../app/formats/answer/answer.ts';
import { MessagesGrammar } from '../../../app/formats/messages/grammar.ts';
import { isObject, type JsonObject } from '../../../app/formats/wire/json.ts';
import { readSseEvent, splitEvents } from '../../../app/formats/wire/sse.ts';

/** Everything a reader writes for these chunks, its end included. */
export function through(reader: AnswerReader, ...chunks: (Buffer | string)[]): Buffer {
  const written: Buffer[] = [];
  for (const chunk of chunks) written.push(reader.push(Buffer.from(chunk)) ?? Buffer.alloc(0));
  written.push(reader.end() ?? Buffer.alloc(0));
  return Buffer.concat(written);
}

/** The parsed data of all events; the event's line must say the same type. */
export function eventsIn(bytes: Buffer): JsonObject[] {
  if (bytes.length === 0) return [];
  return splitEvents(bytes).flatMap((one) => {
    const event = readSseEvent(one);
    if (event === null) return [];
    const data: unknown = JSON.parse(event.data);
    if (!isObject(data) || data.type !== event.event) throw new Error(`Not an Anthropic event: ${one}`);
    return [data];
  });
}

/** What is wrong with the order of the events; null when nothing is. */
export function disorder(events: JsonObject[]): string | null {
  const grammar = new MessagesGrammar();
  for (const event of events) {
    const inner = isObject(event.content_block) ? event.content_block : isObject(event.delta) ? event.delta : {};
    const wrong = grammar.take(
      String(event.type),
      typeof event.index === 'number' ? event.index : null,
      typeof inner.type === 'string' ? inner.type : null,
    );
    if (wrong !== null) return wrong;
  }
  return null;
}

/** Cuts bytes at these places. */
export function cutAt(bytes: Buffer, places: readonly number[]): Buffer[] {
  const sorted = [...new Set(places)].filter((at) => at > 0 && at < bytes.length).sort((a, b) => a - b);
  return [0, ...sorted].map((from, at) => bytes.subarray(from, sorted[at]));
}

export function sse(...events: (JsonObject | string)[]): string {
  return events
    .map((event) => (typeof event === 'string' ? event : `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`))
    .join('');
}

export function chatSse(...chunks: (JsonObject | string)[]): string {
  return chunks.map((chunk) => `data: ${typeof chunk === 'string' ? chunk : JSON.stringify(chunk)}\n\n`).join('');
}

const idAlphabet = 'abcdefghijklmnopqrstuvwxyz0123456789+/';

/** Item ids as Copilot has them: long, and another one in every event. */
function freshId(at: number): string {
  return Array.from({ length: 80 }, (_, n) => idAlphabet[(at * 7 + n * (at + 3)) % idAlphabet.length]).join('');
}

/** Events of a Responses stream: named, numbered, and with ids that change. */
export function responsesSse(...events: (JsonObject | string)[]): string {
  return events
    .map((event, at) => {
      if (typeof event === 'string') return `data: ${event}\n\n`;
      const item = isObject(event.item) ? { item: { ...event.item, id: freshId(at) } } : {};
      const data = { ...event, ...item, item_id: freshId(at + 1), sequence_number: at };
      return `event: ${event.type}\ndata: ${JSON.stringify(data)}\n\n`;
    })
    .join('');
}
