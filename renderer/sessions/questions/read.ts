import { isFields } from '../state/fields.ts';

/** What an agent sent, looked at piece by piece: it may be of any shape. */

export function record(value: unknown): Readonly<Record<string, unknown>> | null {
  return isFields(value) ? value : null;
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

export function number(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

export function entriesOf(value: unknown): (readonly [string, unknown])[] {
  return Object.entries(record(value) ?? {});
}
