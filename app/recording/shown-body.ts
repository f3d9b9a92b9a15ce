import { type BodyView, bodyViewSchema, type RecordedBody } from '../api/recording.ts';
import { isObject } from '../formats/wire/json.ts';
import { assembled, indentJson } from './assembled.ts';
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
