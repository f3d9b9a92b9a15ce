/**
 * A time of an exchange in ms, as rows keep it. Whole ones from a tenth of a second on, which SQLite keeps in 2 bytes
 * instead of 8; hundredths before.
 */
export function moment(value: number | null): number | null {
  if (value === null || !Number.isFinite(value)) return null;
  return value >= 100 ? Math.round(value) : Math.round(value * 100) / 100;
}
