import type { SQLOutputValue } from 'node:sqlite';
import { type ExchangeRow, exchangeRowSchema } from '../api/exchange.ts';
import { unpackAttempts, unpackFits, unpackReason, unpackShapeRequest, type WordTexts } from './packing.ts';
import { namesOf, plainColumns } from './row.ts';

/** The columns that a list needs; what they hold of JSON is short. */
export const listColumns =
  'id, started_at, api, client, session, prompt, request_class, agent_type, asked_model, served_model, ' +
  'path, initiator, reason_code, reason_rule, ' +
  'fits, status, outcome, failure_message, attempts, headers_ms, first_event_ms, last_event_ms, ' +
  'input_tokens, output_tokens, ' +
  'cache_read_tokens, cache_write_tokens, charge_kind, charge_nano_aiu, charge_premium_requests, shape, account, local_key';

/** One line of a list, or null when the row holds none (it was edited by hand). */
export function toListRow(row: Record<string, SQLOutputValue>, words: WordTexts): ExchangeRow | null {
  const attempts = list(unpackAttempts(row.attempts, words));
  const changes = list(unpackFits(row.fits, words)).map((fit) => field(fit, 'code'));
  const plain = plainColumns(row);
  const [rule] = unpackReason(row.reason_rule, plain.prompt, words);
  const request = unpackShapeRequest(row.shape, words);
  const read = exchangeRowSchema.safeParse({
    ...plain,
    ...namesOf(row, words),
    asked: row.asked_model,
    model: row.served_model,
    reason: row.reason_code === null ? null : { code: row.reason_code, rule },
    held: false,
    firstStatus: attempts.length > 1 ? (field(attempts[0], 'status') ?? null) : null,
    attempts: attempts.length,
    failure: row.failure_message,
    changes: changes.join(' '),
    changeCount: changes.length,
    input: sum(row.input_tokens, row.cache_write_tokens),
    cached: row.cache_read_tokens,
    output: row.output_tokens,
    firstToken: row.first_event_ms,
    took: row.last_event_ms ?? row.headers_ms,
    charge: row.charge_kind,
    nanoAiu: row.charge_nano_aiu,
    premium: row.charge_premium_requests,
    size: field(request, 'bytes') ?? null,
    contents: contents(request),
  });
  return read.success ? read.data : null;
}

function contents(request: unknown): string | null {
  if (typeof field(request, 'bytes') !== 'number') return null;
  const has = [
    Number(field(request, 'tools')) > 0 ? 'tools' : '',
    Number(field(request, 'images')) > 0 ? 'images' : '',
    typeof field(request, 'thinking') === 'string' ? 'thinking' : '',
  ];
  return has.filter((name) => name !== '').join(' ');
}

function sum(fresh: SQLOutputValue | undefined, written: SQLOutputValue | undefined): SQLOutputValue {
  if (typeof fresh !== 'number') return written ?? null;
  return typeof written === 'number' ? fresh + written : fresh;
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && name in value ? Reflect.get(value, name) : undefined;
}
