import { isObject, type JsonObject } from '../../../app/formats/wire/json.ts';
import { readSseEvent, splitEvents } from '../../../app/formats/wire/sse.ts';

/** The parsed events of a Responses stream; the event's line must say the same type. */
export function responseEventsIn(bytes: Buffer): JsonObject[] {
  if (bytes.length === 0) return [];
  return splitEvents(bytes).flatMap((one) => {
    const event = readSseEvent(one);
    if (event === null) return [];
    const data: unknown = JSON.parse(event.data);
    if (!isObject(data) || data.type !== event.event) throw new Error(`Not an event of Responses: ${one}`);
    return [data];
  });
}

interface Open {
  at: unknown;
  id: unknown;
  type: unknown;
  /** Pieces so far. */
  text: string;
  /** The text in full, once it was said. */
  full: string | null;
  part: JsonObject | null;
}

/**
 * What is wrong with the order of a Responses stream; null when nothing is. Written from OpenAI's documentation, apart
 * from the writer under test: numbers without gaps, created and in_progress first, one item after the other with one id
 * and one place, its pieces together the same as its full text, as the finished item and as the item in the last event;
 * one end and nothing after it. `ends`: false for a stream that was cut.
 */
export function responsesDisorder(events: readonly JsonObject[], ends = true): string | null {
  let open: Open | null = null;
  let over = false;
  const finished: JsonObject[] = [];
  for (const [n, event] of events.entries()) {
    const type = String(event.type);
    const wrong = (why: string): string => `${n} ${type}: ${why}`;
    if (over) return wrong('after the end');
    if (event.sequence_number !== n) return wrong(`number ${String(event.sequence_number)}`);
    if (n === 0 && type !== 'response.created') return wrong('first');
    if (n === 1 && type !== 'response.in_progress') return wrong('second');
    if (isObject(event.response)) {
      if (event.response.id !== idOf(events[0])) return wrong('another id');
      if (n < 2) continue;
      if (open !== null) return wrong('an item is open');
      if (JSON.stringify(event.response.output) !== JSON.stringify(finished)) return wrong('other items');
      if (event.response.status !== type.slice('response.'.length)) return wrong('another status');
      over = true;
      continue;
    }
    if (type === 'response.output_item.added') {
      if (open !== null) return wrong('an item is open');
      if (event.output_index !== finished.length || !isObject(event.item)) return wrong('another place');
      open = { at: event.output_index, id: event.item.id, type: event.item.type, text: '', full: null, part: null };
      continue;
    }
    if (open === null || event.output_index !== open.at) return wrong('no such item');
    if (type === 'response.output_item.done') {
      const { item } = event;
      if (!isObject(item) || item.id !== open.id || item.type !== open.type) return wrong('another item');
      const { summary, content, arguments: json, input } = item;
      const said = json ?? input ?? textOf(content) ?? textOf(summary) ?? '';
      if (said !== open.text || (open.full ?? '') !== open.text) return wrong('other words than its pieces');
      finished.push(item);
      open = null;
      continue;
    }
    if (event.item_id !== open.id) return wrong('another item’s id');
    if (type.endsWith('part.added')) open.part = isObject(event.part) ? event.part : {};
    else if (type.endsWith('.delta')) {
      if (open.full !== null) return wrong('after its full text');
      if ((open.type === 'message' || open.type === 'reasoning') && open.part === null)
        return wrong('without its part');
      open.text += String(event.delta);
    } else if (type.endsWith('part.done')) {
      if (!isObject(event.part) || textOf([event.part]) !== open.full) return wrong('another part');
    } else if (type.endsWith('.done')) {
      open.full = String(event.text ?? event.arguments ?? event.input ?? event.refusal);
      if (open.full !== open.text) return wrong('other words than its pieces');
    } else return wrong('unknown');
  }
  return over || !ends ? null : 'no end';
}

function idOf(event: JsonObject | undefined): unknown {
  return isObject(event?.response) ? event.response.id : undefined;
}

function textOf(parts: unknown): string | null {
  if (!Array.isArray(parts)) return null;
  return parts.map((part) => (isObject(part) ? String(part.text ?? part.refusal) : '')).join('');
}
