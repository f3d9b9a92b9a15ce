import type { TotalsKey, TotalsRow } from '../../app/api/history.ts';
import { type Message, msg } from '../../app/language/messages.ts';
import { cycleAround, day, monthName, timeOf, timeParts, zoneSuffix } from '../../app/words/times.ts';

/** The times that usage is looked at in, and the bars that they are cut into: in the zone that times are shown in. */

export type PeriodName = 'today' | 'week' | 'cycle' | 'year';

export const periodNames: readonly PeriodName[] = ['today', 'week', 'cycle', 'year'];

export const periodTitles: Readonly<Record<PeriodName, Message>> = {
  today: msg('Today'),
  week: msg('7 days'),
  cycle: msg('This cycle'),
  year: msg('12 months'),
};

export interface Period {
  name: PeriodName;
  from: number;
  /** End of the period, exclusive. */
  to: number;
  unit: Extract<TotalsKey, 'hour' | 'day' | 'month'>;
}

/** `resetsAt`: when GitHub's cycle ends. Without one the calendar's month is the cycle. */
export function periodOf(name: PeriodName, now: number, resetsAt: number | null): Period {
  const { year, month, day: date } = timeParts(now);
  const at = (...parts: [number, number, number?]): number => timeOf(parts[0], parts[1], parts[2] ?? 1);
  switch (name) {
    case 'today':
      return { name, unit: 'hour', from: at(year, month, date), to: at(year, month, date + 1) };
    case 'week':
      return { name, unit: 'day', from: at(year, month, date - 6), to: at(year, month, date + 1) };
    case 'year':
      return { name, unit: 'month', from: at(year, month - 11), to: at(year, month + 1) };
    case 'cycle': {
      const { from, until: to } = cycleAround(now, resetsAt);
      return { name, unit: 'day', from, to };
    }
  }
}

/** One bar. */
export interface Slot {
  key: string;
  from: number;
  to: number;
  /** Null if nothing happened, or it has not come yet. */
  row: TotalsRow | null;
}

const halfDay = 12 * 3_600_000;

/**
 * Every hour, day or month of the period, also those to come. A day that the period hardly touches is left out unless
 * it holds something.
 */
export function slotsOf(period: Period, rows: readonly TotalsRow[]): Slot[] {
  const byKey = new Map(rows.map((row) => [row.key, row]));
  const slots = new Map<string, Slot>();
  for (let index = 0; index < 400; index += 1) {
    const from = startOf(period, index);
    if (from >= period.to) break;
    const to = startOf(period, index + 1);
    const key = keyOf(from, period.unit);
    const row = byKey.get(key) ?? null;
    const inside = Math.min(to, period.to) - Math.max(from, period.from);
    if (to <= from || slots.has(key)) continue;
    if (row === null && period.unit === 'day' && inside < halfDay) continue;
    slots.set(key, { key, from, to, row });
  }
  return [...slots.values()];
}

function startOf({ from, unit }: Period, index: number): number {
  const { year, month, day: date, hour } = timeParts(from);
  if (unit === 'month') return timeOf(year, month + index, 1);
  if (unit === 'day') return timeOf(year, month, date + index);
  return timeOf(year, month, date, hour + index);
}

/** Key in the history's form: `2026-11-20T09`, `2026-11-20`, `2026-11`. */
function keyOf(at: number, unit: Period['unit']): string {
  const parts = timeParts(at);
  const month = `${parts.year}-${two(parts.month + 1)}`;
  if (unit === 'month') return month;
  const date = `${month}-${two(parts.day)}`;
  return unit === 'day' ? date : `${date}T${two(parts.hour)}`;
}

const two = (value: number): string => String(value).padStart(2, '0');

/** `20 Nov 2026`, `20 Nov 2026, 09:00`, `Nov 2026` */
export function slotTitle({ from }: Slot, unit: Period['unit']): string {
  if (unit === 'month') return `${monthName(from)} ${timeParts(from).year}`;
  return unit === 'day' ? day(from) : `${day(from)}, ${two(timeParts(from).hour)}:00${zoneSuffix()}`;
}

/** Below its bar: `09`, `20`, `Nov`; the first day of a month says which. */
export function slotLabel(slot: Slot, index: number, slots: readonly Slot[], unit: Period['unit']): string {
  const date = timeParts(slot.from);
  const month = monthName(slot.from);
  if (unit === 'hour') return two(date.hour);
  if (unit === 'month') return month;
  const before = slots[index - 1];
  const sameMonth = (other: Slot | undefined): boolean =>
    other !== undefined && timeParts(other.from).month === date.month;
  const crosses = !sameMonth(slots[0]) || !sameMonth(slots.at(-1));
  const starts = before === undefined || !sameMonth(before);
  return crosses && starts ? `${date.day} ${month}` : String(date.day);
}

/** What the list of requests is asked for to show this bar: `after:2026-11-20 before:2026-11-21`. */
export function slotQuery({ from, to }: Slot, unit: Period['unit']): string {
  if (unit === 'day') return `on:${keyOf(from, 'day')}`;
  return `${sinceQuery({ from })} before:${moment(to)}`;
}

/** Of what a row of the period counts, beside what the row is about. */
export function sinceQuery({ from }: Pick<Period, 'from'>): string {
  return `after:${moment(from)}`;
}

function moment(at: number): string {
  const { hour } = timeParts(at);
  return hour === 0 ? keyOf(at, 'day') : `${keyOf(at, 'hour')}:00`;
}
