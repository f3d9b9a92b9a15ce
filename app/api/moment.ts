/**
 * A time or a span of an exchange in ms, as precise as it is kept: whole ones from a tenth of a second on, which SQLite
 * keeps in 2 bytes instead of 8; hundredths before. It is rounded where it is measured, so that a row says the same
 * before and after it was read from the history. Null if it is no number.
 */
export function moment(value: number): number;
export function moment(value: number | null): number | null;
export function moment(value: number | null): number | null {
  if (value === null || !Number.isFinite(value)) return null;
  return value >= 100 ? Math.round(value) : Math.round(value * 100) / 100;
}
