import { isObject } from '../formats/wire/json.ts';

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
