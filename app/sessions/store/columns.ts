import type { SQLInputValue, SQLOutputValue } from 'node:sqlite';

/** Values of a row as they are read: a row of a newer or damaged file may hold anything. */
export type Row = Record<string, SQLOutputValue>;

export function text(value: SQLOutputValue | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

export function figure(value: SQLOutputValue | undefined): number | null {
  return typeof value === 'number' ? value : null;
}

/** What was kept as JSON; `otherwise` where it can't be read as such. */
export function json(value: SQLOutputValue | undefined, otherwise: unknown = null): unknown {
  if (typeof value !== 'string') return otherwise;
  try {
    return JSON.parse(value);
  } catch {
    return otherwise;
  }
}

export function texts(value: SQLOutputValue | undefined): string[] {
  const read = json(value, []);
  return Array.isArray(read) ? read.filter((one) => typeof one === 'string') : [];
}

/** A value for a column: true and false are 1 and 0, and what SQLite has no type for is JSON. */
export function toColumn(value: unknown): SQLInputValue {
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') return value;
  return JSON.stringify(value);
}
