import { clockTime, day } from './times.ts';
import { shownZone, timeParts, zoneSuffix } from './zone.ts';

/** Times and durations as they stand in the detail of one request: with milliseconds, three figures. */

const two = (value: number): string => String(value).padStart(2, '0');
const three = (value: number): string => String(value).padStart(3, '0');

/** `20 Nov 2026, 10:39:41.318` */
export function exactTime(at: number): string {
  return `${day(at)}, ${clockTime(at)}.${three(timeParts(at).millisecond)}${zoneSuffix()}`;
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
  if (ms < 9_995) return `${(ms / 1000).toFixed(2)} s`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)} m ${two(seconds % 60)} s`;
  const minutes = Math.round(ms / 60_000);
  return `${Math.floor(minutes / 60)} h ${two(minutes % 60)} m`;
}

/** The first token in a list: `0.44 s`, `1.24 s`. */
export function firstTokenTime(ms: number): string {
  return ms < 59_995 ? `${(ms / 1000).toFixed(2)} s` : exactDuration(ms);
}
