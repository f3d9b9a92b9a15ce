import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isFiniteNumber, isObject, type JsonObject } from '../formats/wire/json.ts';

type ReadBody =
  | { kind: 'whole'; text: string }
  /** More came than was allowed; the connection was closed. */
  | { kind: 'too-large'; text: string }
  /** The answer broke off, or took too long; `text` is what had come until then. */
  | { kind: 'cut'; text: string; error: unknown };

/** Reads an answer to its end, `limitBytes` and `deadlineMs` at most. Never rejects. */
export function readBody(response: IncomingMessage, limitBytes: number, deadlineMs: number): Promise<ReadBody> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let settled = false;
    const text = () => Buffer.concat(chunks).toString('utf8');
    const settle = (end: ReadBody) => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      resolve(end);
    };
    const timer = setTimeout(() => {
      settle({ kind: 'cut', text: text(), error: new Error('the answer took too long') });
      response.destroy();
    }, deadlineMs);
    response.on('data', (chunk: Buffer) => {
      if (settled) return;
      if (size + chunk.length > limitBytes) {
        chunks.push(chunk.subarray(0, limitBytes - size));
        settle({ kind: 'too-large', text: text() });
        response.destroy();
        return;
      }
      size += chunk.length;
      chunks.push(chunk);
    });
    response.on('end', () => settle({ kind: 'whole', text: text() }));
    response.on('error', (error) => settle({ kind: 'cut', text: text(), error }));
    response.on('close', () => settle({ kind: 'cut', text: text(), error: new Error('the connection was closed') }));
  });
}

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
