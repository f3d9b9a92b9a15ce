import { isFiniteNumber, isObject, type JsonObject } from '../formats/wire/json.ts';

export function asObject(value: unknown): JsonObject | null {
  return isObject(value) ? value : null;
}

/** A text that is not empty, else null. */
export function asText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

export function asNumber(value: unknown): number | null {
  return isFiniteNumber(value) ? value : null;
}

export function asBoolean(value: unknown): boolean | null {
  return typeof value === 'boolean' ? value : null;
}
