import { isFiniteNumber, isObject, type JsonObject } from '../formats/wire/json.ts';

/** The value, or an empty object where it is no object, so that a reader needs no check at each step. */
export function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function asText(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

export function asNumber(value: unknown): number | null {
  return isFiniteNumber(value) ? value : null;
}

/** The text as JSON; undefined where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
