import type { IncomingHttpHeaders } from 'node:http';

const headerNames = ['retry-after', 'x-ratelimit-user-retry-after', 'x-ratelimit-quota-exceeded-retry-after'] as const;

/**
 * Whole seconds to wait: the largest of the three headers that name a wait, each as seconds or as an HTTP date; null
 * when there is none. A date is measured against the answer's own `date` header, so that a wrong clock here does not
 * matter.
 */
export function readRetryAfter(headers: IncomingHttpHeaders, now: number): number | null {
  let largest: number | null = null;
  for (const name of headerNames) {
    const value = headers[name];
    if (typeof value !== 'string') continue;
    const seconds = readWait(value.trim(), headers.date, now);
    if (seconds !== null && (largest === null || seconds > largest)) largest = seconds;
  }
  return largest;
}

function readWait(value: string, date: string | undefined, now: number): number | null {
  if (/^\d+(\.\d+)?$/.test(value)) return Math.ceil(Number(value));
  const at = Date.parse(value);
  if (Number.isNaN(at)) return null;
  const from = date ? Date.parse(date) : Number.NaN;
  return Math.max(0, Math.ceil((at - (Number.isNaN(from) ? now : from)) / 1000));
}
