import type { SQLInputValue, SQLOutputValue } from 'node:sqlite';
import { type Exchange, exchangeSchema } from '../api/exchange.ts';
import { moment } from '../api/figures.ts';
import { type RuleScope, ruleScopeSchema } from '../api/rules.ts';
import {
  compactId,
  packAttempts,
  packDetails,
  packFits,
  packReason,
  packRequestIds,
  packShape,
  plainId,
  unpackAttempts,
  unpackDetails,
  unpackFits,
  unpackReason,
  unpackRequestIds,
  unpackShape,
  type WordNumbers,
  type WordTexts,
} from './packing.ts';

/** The columns in the order of `toRow`; `seq` is SQLite's own. */
export const columns = [
  'id',
  'started_at',
  'api',
  'client',
  'session',
  'prompt',
  'request_class',
  'agent_id',
  'agent_type',
  'asked_model',
  'served_model',
  'path',
  'streamed',
  'initiator',
  'reason_code',
  'reason_rule',
  'fits',
  'status',
  'outcome',
  'stop_reason',
  'failure_source',
  'failure_status',
  'failure_code',
  'failure_message',
  'failure_told',
  'attempts',
  'sent_ms',
  'headers_ms',
  'first_event_ms',
  'last_event_ms',
  'input_tokens',
  'output_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
  'charge_kind',
  'charge_nano_aiu',
  'charge_premium_requests',
  'charge_partial',
  'charge_details',
  'upstream_request_ids',
  'read_ms',
  'held_from_ms',
  'held_until_ms',
  'shape',
  'account',
  'local_key',
  'charge_estimate',
  'rule',
] as const;

/** One exchange as values for `columns`. */
export function toRow(exchange: Exchange, words: WordNumbers): SQLInputValue[] {
  const { reason, failure, times, tokens, charge } = exchange;
  return [
    compactId(exchange.id),
    whole(exchange.startedAt) ?? 0,
    exchange.api,
    exchange.client,
    exchange.session === null ? null : compactId(exchange.session),
    exchange.prompt === null ? null : compactId(exchange.prompt),
    exchange.requestClass,
    exchange.agentId,
    exchange.agentType,
    exchange.askedModel,
    exchange.servedModel,
    exchange.path,
    exchange.streamed ? 1 : 0,
    exchange.initiator,
    reason?.code ?? null,
    packReason(exchange, words),
    packFits(exchange, words),
    whole(exchange.status),
    exchange.outcome,
    exchange.stopReason,
    failure?.source ?? null,
    whole(failure?.status ?? null),
    failure?.code ?? null,
    failure?.message ?? null,
    failure?.clientMessage ?? null,
    packAttempts(exchange, words),
    moment(times.sent),
    moment(times.headers),
    moment(times.firstEvent),
    moment(times.lastEvent),
    whole(tokens.input),
    whole(tokens.output),
    whole(tokens.cacheRead),
    whole(tokens.cacheWrite),
    charge.kind,
    whole(charge.nanoAiu),
    Number.isFinite(charge.premiumRequests) ? charge.premiumRequests : null,
    charge.partial ? 1 : 0,
    packDetails(exchange, words),
    packRequestIds(exchange),
    moment(times.read ?? null),
    moment(times.held?.from ?? null),
    moment(times.held?.until ?? null),
    exchange.shape === undefined ? null : packShape(exchange.shape, words, exchange.startedAt),
    exchange.account === undefined ? null : words.number(exchange.account, exchange.startedAt),
    exchange.key === undefined ? null : words.number(exchange.key, exchange.startedAt),
    whole(charge.estimate ?? null),
    exchange.rule === undefined ? null : words.number(JSON.stringify(exchange.rule), exchange.startedAt),
  ];
}

/** The exchange of a row, or null when the row holds none (it was edited by hand). */
export function fromRow(row: Record<string, SQLOutputValue>, words: WordTexts): Exchange | null {
  const attempts = unpackAttempts(row.attempts, words);
  const plain = plainColumns(row);
  const [rule, sentence] = unpackReason(row.reason_rule, plain.prompt, words);
  const followed = typeof row.rule === 'number' ? readRule(words.text(row.rule)) : undefined;
  const tokens = {
    input: row.input_tokens,
    output: row.output_tokens,
    cacheRead: row.cache_read_tokens,
    cacheWrite: row.cache_write_tokens,
  };
  const parsed = exchangeSchema.safeParse({
    ...plain,
    ...namesOf(row, words),
    ...(followed !== undefined && { rule: followed }),
    agentId: row.agent_id,
    askedModel: row.asked_model,
    servedModel: row.served_model,
    streamed: row.streamed === 1,
    reason: row.reason_code === null ? null : { code: row.reason_code, rule, sentence },
    fits: unpackFits(row.fits, words),
    held: false,
    stopReason: row.stop_reason,
    failure:
      row.failure_source === null
        ? null
        : {
            source: row.failure_source,
            status: row.failure_status,
            code: row.failure_code,
            message: row.failure_message,
            clientMessage: row.failure_told,
          },
    attempts,
    times: {
      ...(row.read_ms === null ? undefined : { read: row.read_ms }),
      ...(row.held_from_ms === null ? undefined : { held: { from: row.held_from_ms, until: row.held_until_ms } }),
      sent: row.sent_ms,
      headers: row.headers_ms,
      firstEvent: row.first_event_ms,
      lastEvent: row.last_event_ms,
    },
    tokens,
    charge: {
      kind: row.charge_kind,
      nanoAiu: row.charge_nano_aiu,
      premiumRequests: row.charge_premium_requests,
      ...(row.charge_estimate === null ? undefined : { estimate: row.charge_estimate }),
      partial: row.charge_partial === 1,
      details: unpackDetails(row.charge_details, (number) => words.text(number), tokens),
    },
    upstreamRequestIds: unpackRequestIds(row.upstream_request_ids, attempts),
    ...(row.shape === null ? undefined : { shape: unpackShape(row.shape, words) }),
  });
  return parsed.success ? parsed.data : null;
}

/** Reads the scope of a person's rule from a word of the history. Undefined if it can't be read. */
export function readRule(text: unknown): RuleScope | undefined {
  try {
    return ruleScopeSchema.safeParse(JSON.parse(String(text))).data;
  } catch {
    return undefined;
  }
}

/** Null for what is no amount at all. Beyond 2^53 a number is not exact any more, and SQLite would not give it back. */
function whole(value: number | null): number | null {
  if (value === null) return null;
  const rounded = Math.round(value);
  return Number.isSafeInteger(rounded) ? rounded : null;
}

/** The columns that an exchange and its line in a list hold alike, under the names of both. */
export function plainColumns(row: Record<string, SQLOutputValue>): Record<string, SQLOutputValue | undefined> {
  return {
    id: id(row.id),
    startedAt: row.started_at,
    api: row.api,
    client: row.client,
    session: id(row.session),
    prompt: id(row.prompt),
    requestClass: row.request_class,
    agentType: row.agent_type,
    path: row.path,
    initiator: row.initiator,
    status: row.status,
    outcome: row.outcome,
  };
}

/** Absent in rows of a time with one account, and of the first key. */
export function namesOf(row: Record<string, SQLOutputValue>, words: WordTexts): { account?: string; key?: string } {
  const name = (number: SQLOutputValue | undefined) => (typeof number === 'number' ? words.text(number) : undefined);
  const [account, key] = [name(row.account), name(row.local_key)];
  return { ...(account !== undefined && { account }), ...(key !== undefined && { key }) };
}

function id(value: SQLOutputValue | undefined): SQLOutputValue | undefined {
  return typeof value === 'string' ? plainId(value) : value;
}
