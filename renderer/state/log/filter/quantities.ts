import { timeOf, timeParts } from '../../../../app/words/times.ts';

/** What a figure, a duration or a time in a filter means. */

export interface Range {
  from: number;
  to: number;
  /** `>1`: the end itself is not in it. */
  openFrom: boolean;
  openTo: boolean;
}

export function inRange(value: number, { from, to, openFrom, openTo }: Range): boolean {
  return (openFrom ? value > from : value >= from) && (openTo ? value < to : value <= to);
}

/**
 * `>1`, `<=0.5`, `10..20`, `7`; null when `read` makes nothing of an end. `width`: how far a lone value reaches to both
 * sides.
 */
export function readRange(text: string, read: (end: string) => number | null, width = 0): Range | null {
  const span = /^(.+)\.\.(.+)$/.exec(text);
  if (span !== null) {
    const from = read(span[1] ?? '');
    const to = read(span[2] ?? '');
    return from === null || to === null ? null : { from, to, openFrom: false, openTo: false };
  }
  const compared = /^(>=|<=|>|<|=)?(.+)$/.exec(text);
  const value = read(compared?.[2] ?? '');
  if (value === null) return null;
  const all = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY, openFrom: false, openTo: false };
  switch (compared?.[1]) {
    case '>':
      return { ...all, from: value, openFrom: true };
    case '>=':
      return { ...all, from: value };
    case '<':
      return { ...all, to: value, openTo: true };
    case '<=':
      return { ...all, to: value };
    default:
      return { from: value - width, to: value + width, openFrom: false, openTo: width > 0 };
  }
}

/** `100`, `0.5`, `100k`, `1.5m` */
export function readFigure(text: string): number | null {
  const parts = /^(\d+(?:\.\d+)?|\.\d+)([km])?$/i.exec(text);
  if (parts === null) return null;
  const unit = parts[2]?.toLowerCase();
  return Number(parts[1]) * (unit === 'k' ? 1_000 : unit === 'm' ? 1_000_000 : 1);
}

/** Bytes: `500`, `100k`, `100kb`, `1.5mb`, `1g`; 1 MB is 1,000,000. */
export function readSize(text: string): number | null {
  const parts = /^(\d+(?:\.\d+)?|\.\d+)([kmg])?b?$/i.exec(text);
  if (parts === null) return null;
  const unit = parts[2]?.toLowerCase();
  return Number(parts[1]) * (unit === 'k' ? 1e3 : unit === 'm' ? 1e6 : unit === 'g' ? 1e9 : 1);
}

const unitMs: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** ms: `500ms`, `10s`, `1m`, `2h`; a lone number is seconds. */
export function readDuration(text: string): number | null {
  const parts = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/i.exec(text);
  return parts === null ? null : Number(parts[1]) * (unitMs[parts[2]?.toLowerCase() ?? 's'] ?? 1_000);
}

/**
 * First and last ms of a moment: `2026-11-20`, `today` and `yesterday` are days, `10:00` a minute of today, `-2h` an
 * instant. In the zone that times are shown in.
 */
export function readMoment(text: string, now: number): { from: number; to: number } | null {
  const ago = /^-(\d+(?:\.\d+)?)(s|m|h|d)$/i.exec(text);
  if (ago !== null) {
    const at = now - Number(ago[1]) * (unitMs[ago[2]?.toLowerCase() ?? ''] ?? 0);
    return { from: at, to: at };
  }
  const days = ['today', 'yesterday'].indexOf(text);
  if (days >= 0) {
    const { year, month, day } = timeParts(now);
    return { from: timeOf(year, month, day - days), to: timeOf(year, month, day - days + 1) - 1 };
  }
  const parts = /^(?:(\d{4})-(\d{2})-(\d{2}))?(?:(?:^|T)(\d{1,2}):(\d{2})(?::(\d{2}))?)?$/i.exec(text);
  if (parts === null || text === '') return null;
  const [, year, month, day, hour, minute, second] = parts;
  const today = timeParts(now);
  const date = [
    year === undefined ? today.year : Number(year),
    month === undefined ? today.month : Number(month) - 1,
    day === undefined ? today.day : Number(day),
  ] as const;
  const from = timeOf(...date, Number(hour ?? 0), Number(minute ?? 0), Number(second ?? 0));
  if (Number.isNaN(from)) return null;
  if (hour !== undefined) return { from, to: from + (second === undefined ? 60_000 : 1_000) - 1 };
  return { from, to: timeOf(date[0], date[1], date[2] + 1) - 1 };
}
