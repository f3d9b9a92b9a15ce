import type { Exchange } from '../api/exchange.ts';
import { dateInWords, shortMonth, weekdayName } from '../language/formats.ts';
import { msg } from '../language/messages.ts';
import { written } from '../language/sentences.ts';
import { t } from '../language/translate.ts';
import { grouped } from './numbers.ts';

/** The zone in which times are shown: one choice for all that a process shows. The terminal never changes it. */
let shown: 'local' | 'utc' = 'local';

export function showTimesIn(zone: 'local' | 'utc'): void {
  shown = zone;
}

export function shownZone(): 'local' | 'utc' {
  return shown;
}

/** Suffix of a written time: ` UTC`, or nothing for local time. */
export function zoneSuffix(): string {
  return shown === 'utc' ? ' UTC' : '';
}

/** A moment from its parts as they are shown. Parts beyond their end go on: hour 24 is the next day. */
export function timeOf(year: number, month: number, day: number, hour = 0, minute = 0, second = 0): number {
  return shown === 'utc'
    ? Date.UTC(year, month, day, hour, minute, second)
    : new Date(year, month, day, hour, minute, second).getTime();
}

/** The parts of a moment as they are shown. */
interface TimeParts {
  year: number;
  /** 0 to 11. */
  month: number;
  day: number;
  /** 0 is Sunday. */
  weekday: number;
  hour: number;
  minute: number;
  second: number;
  millisecond: number;
}

export function timeParts(at: number): TimeParts {
  const date = new Date(at);
  if (shown === 'utc') {
    return {
      year: date.getUTCFullYear(),
      month: date.getUTCMonth(),
      day: date.getUTCDate(),
      weekday: date.getUTCDay(),
      hour: date.getUTCHours(),
      minute: date.getUTCMinutes(),
      second: date.getUTCSeconds(),
      millisecond: date.getUTCMilliseconds(),
    };
  }
  return {
    year: date.getFullYear(),
    month: date.getMonth(),
    day: date.getDate(),
    weekday: date.getDay(),
    hour: date.getHours(),
    minute: date.getMinutes(),
    second: date.getSeconds(),
    millisecond: date.getMilliseconds(),
  };
}

// In lists and sentences: 24 hours.

const two = (value: number): string => String(value).padStart(2, '0');

/** When an exchange ended, as far as that is known. */
export function endedAt({ startedAt, times }: Pick<Exchange, 'startedAt' | 'times'>): number {
  return startedAt + (times.lastEvent ?? 0);
}

/** `10:42:07` */
export function clockTime(at: number): string {
  const { hour, minute, second } = timeParts(at);
  return `${two(hour)}:${two(minute)}:${two(second)}`;
}

/** `10:42` */
export function hourAndMinute(at: number): string {
  return clockTime(at).slice(0, 5);
}

/** `1 Dec 2026` */
export function day(at: number): string {
  return written(() => dateInWords(at, 'day', shown) ?? `${dayOfYear(at)} ${timeParts(at).year}`);
}

/** `1 Dec`: where the year goes without saying. */
export function dayOfYear(at: number): string {
  return written(() => dateInWords(at, 'day-of-year', shown) ?? `${timeParts(at).day} ${monthName(at)}`);
}

/** `Dec` */
export function monthName(at: number): string {
  return shortMonth(timeParts(at).month);
}

/** `Friday, 20 Nov 2026`, above the first row of a day. */
export function dayBorder(at: number): string {
  return dateInWords(at, 'day-border', shown) ?? `${weekdayName(timeParts(at).weekday, 'long')}, ${day(at)}`;
}

/** `1 Dec 2026, 01:00` */
export function dayAndTime(at: number): string {
  return withTime(day(at), `${hourAndMinute(at)}${zoneSuffix()}`);
}

/** `1 Dec, 01:00`: for a time that is weeks away at most. */
export function dayOfYearAndTime(at: number): string {
  return withTime(dayOfYear(at), `${hourAndMinute(at)}${zoneSuffix()}`);
}

const withTime = (day: string, time: string): string => t('{day}, {time}', { day, time });

/** `3 s ago`, `12 min ago`; null from an hour on, where the time itself says more. */
export function ago(at: number, now: number): string | null {
  const seconds = Math.max(0, Math.floor((now - at) / 1000));
  if (seconds < 60) return t('{seconds} s ago', { seconds });
  return seconds < 3600 ? t('{minutes} min ago', { minutes: Math.floor(seconds / 60) }) : null;
}

/** A moment that is past: `10:42:04, 3 s ago`, `09:12:00`, `19 Nov 2026, 18:20`. */
export function moment(at: number, now: number): string {
  const since = day(at) === day(now) ? ago(at, now) : null;
  return since === null ? lastingMoment(at, now) : t('{time}, {ago}', { time: clockTime(at), ago: since });
}

/** The same without its age, for words that stay on a screen: `10:42:04`, `19 Nov 2026, 18:20`. */
export function lastingMoment(at: number, now: number): string {
  return day(at) === day(now) ? clockTime(at) : dayAndTime(at);
}

/** `1 m 03 s`, `1 h 04 m` */
function minutesOrHours(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600)
    return t('{minutes} m {seconds} s', { minutes: String(Math.floor(seconds / 60)), seconds: two(seconds % 60) });
  const minutes = Math.round(ms / 60_000);
  return t('{hours} h {minutes} m', { hours: String(Math.floor(minutes / 60)), minutes: two(minutes % 60) });
}

/** Duration of a request in a list: `40 ms`, `0.2 s`, `18.6 s`, `1 m 03 s`, `1 h 04 m`. */
export function duration(ms: number): string {
  // Tenths of it would be a zero.
  if (ms < 99.5) return `${Math.round(ms)} ms`;
  const tenths = Math.round(ms / 100);
  if (tenths < 600) return `${grouped(tenths / 10, 1)} s`;
  return minutesOrHours(ms);
}

/** What is left of a code: `14:32`. */
export function countdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${two(Math.floor(seconds / 60))}:${two(seconds % 60)}`;
}

/** `2 h 14 min`, `3 d 4 h`, `2 h`: what is left until a time, rounded up to minutes. */
export function timeLeft(ms: number): string {
  const minutes = Math.max(1, Math.ceil(ms / 60_000));
  const hours = Math.floor(minutes / 60);
  const inHours = (count: number): string[] => (count === 0 ? [] : [t('{count} h', { count })]);
  const left = minutes % 60;
  const parts =
    hours < 24
      ? [...inHours(hours), ...(left === 0 ? [] : [t('{count} min', { count: left })])]
      : [t('{count} d', { count: Math.floor(hours / 24) }), ...inHours(hours % 24)];
  return parts.join(' ');
}

/** `Mon 23 Nov, 09:40`: for a time that is days away at most. */
export function weekdayAndTime(at: number): string {
  return written(() => {
    const date = dateInWords(at, 'weekday', shown);
    if (date !== null) return withTime(date, `${hourAndMinute(at)}${zoneSuffix()}`);
    return `${weekdayName(timeParts(at).weekday, 'short')} ${dayOfYearAndTime(at)}`;
  });
}

/** `at 14:05`, `on Mon 30 Nov, 14:05` where that is another day than `now`. */
export function timeOrDay(at: number, now: number): string {
  return day(at) === day(now)
    ? t('at {time}', { time: `${hourAndMinute(at)}${zoneSuffix()}` })
    : t('on {time}', { time: weekdayAndTime(at) });
}

/** `45 seconds`, `3 minutes`, `5 hours`, `5 days`: rounded up: after it the limit is over. */
export function wait(seconds: number): string {
  const unit = seconds < 60 ? 1 : seconds < 3600 ? 60 : seconds < 48 * 3600 ? 3600 : 86_400;
  const count = Math.ceil(seconds / unit);
  if (unit === 1) return t('{count, plural, one {# second} other {# seconds}}', { count });
  if (unit === 60) return t('{count, plural, one {# minute} other {# minutes}}', { count });
  if (unit === 3600) return t('{count, plural, one {# hour} other {# hours}}', { count });
  return t('{count, plural, one {# day} other {# days}}', { count });
}

// In the detail of one request: with milliseconds, three figures.

const three = (value: number): string => String(value).padStart(3, '0');

/** `20 Nov 2026, 10:39:41.318` */
export function exactTime(at: number): string {
  return withTime(day(at), `${clockTime(at)}.${three(timeParts(at).millisecond)}${zoneSuffix()}`);
}

/** `2026-11-20T10:39:41.318+01:00` */
export function isoWithOffset(at: number): string {
  const date = new Date(at);
  const ahead = shownZone() === 'utc' ? 0 : -date.getTimezoneOffset();
  const offset = `${ahead < 0 ? '-' : '+'}${two(Math.floor(Math.abs(ahead) / 60))}:${two(Math.abs(ahead) % 60)}`;
  return new Date(at + ahead * 60_000).toISOString().replace('Z', offset);
}

/** Three figures: `6 ms`, `884 ms`, `1.24 s`, `17.4 s`; from a minute on `1 m 03 s`, `1 h 04 m`. */
export function exactDuration(ms: number): string {
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 9_995) return `${grouped(ms / 1000, 2)} s`;
  if (ms < 59_950) return `${grouped(ms / 1000, 1)} s`;
  return minutesOrHours(ms);
}

/** The first word of a session's turn, which its agent's time is part of, is another one. */
export const firstTokenBasis = msg('From the arrival of a request to the first token that Copilot sends');

/** The first token in a list: `0.44 s`, `1.24 s`. */
export function firstTokenTime(ms: number): string {
  return ms < 59_995 ? `${grouped(ms / 1000, 2)} s` : exactDuration(ms);
}

/** GitHub counts its months in UTC. The 31st becomes the last day of a shorter month. */
export function monthsLater(at: number, months: number): number {
  const date = new Date(at);
  const first = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months + 1, 0)).getUTCDate();
  const within = at - Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
  return first + Math.min(within, (last - 1) * 86_400_000 + (within % 86_400_000));
}

/** The day around a moment, in the zone that times are shown in: sums of a day count the same everywhere. */
export function dayAround(at: number, zone: 'local' | 'utc'): { from: number; until: number } {
  if (zone === 'utc') {
    const from = new Date(at).setUTCHours(0, 0, 0, 0);
    return { from, until: from + 86_400_000 };
  }
  const from = new Date(at).setHours(0, 0, 0, 0);
  const until = new Date(from);
  return { from, until: until.setDate(until.getDate() + 1) };
}

/**
 * The month of a plan around a moment: GitHub's cycle where a reset was named, an earlier one too; else the calendar's.
 */
export function cycleAround(now: number, resetsAt: number | null): { from: number; until: number } {
  const { year, month } = timeParts(now);
  if (resetsAt === null) return { from: timeOf(year, month, 1), until: timeOf(year, month + 1, 1) };
  let until = resetsAt;
  while (until <= now) until = monthsLater(until, 1);
  return { from: monthsLater(until, -1), until };
}
