import type { Charge, ClientApi, Exchange, Initiator, Path, ReasonCode } from '../../app/api.ts';

/**
 * One request as the list keeps it: what its cells, the filter and the sums need and nothing else, flat and with shared strings, so that
 * a hundred thousand of them fit into a page. Never changed; an update is a new row with the same `seq`.
 */
export interface Row {
  readonly id: string;
  /** The order among rows of one start time. */
  readonly seq: number;
  readonly startedAt: number;
  readonly api: ClientApi;
  readonly client: string;
  readonly session: string | null;
  readonly prompt: string | null;
  readonly requestClass: string | null;
  readonly agentType: string | null;
  readonly asked: string | null;
  readonly model: string | null;
  readonly path: Path | null;
  readonly initiator: Initiator | null;
  readonly reason: { readonly code: ReasonCode; readonly rule: string } | null;
  readonly status: number | null;
  readonly outcome: Exchange['outcome'];
  /** The status of an attempt before the last one. */
  readonly firstStatus: number | null;
  readonly attempts: number;
  readonly failure: string | null;
  /** Answered here, never sent. */
  readonly local: boolean;
  /** Codes of what was changed, joined by spaces. */
  readonly changes: string;
  readonly changeCount: number;
  /** Fresh and cache-write tokens. */
  readonly input: number | null;
  readonly cached: number | null;
  readonly output: number | null;
  /** ms after the start. */
  readonly headers: number | null;
  readonly firstToken: number | null;
  readonly took: number | null;
  readonly charge: Charge['kind'];
  readonly nanoAiu: number | null;
  readonly premium: number | null;
}

const shared = new Map<string, string>();

/** One copy of a string that many rows hold. Ids of requests are not among them. */
function share<Text extends string>(text: Text): Text;
function share<Text extends string>(text: Text | null): Text | null;
function share(text: string | null): string | null {
  if (text === null) return null;
  const known = shared.get(text);
  if (known !== undefined) return known;
  if (shared.size > 50_000) shared.clear();
  shared.set(text, text);
  return text;
}

const reasons = new Map<string, NonNullable<Row['reason']>>();

function shareReason({ code, rule }: NonNullable<Exchange['reason']>): NonNullable<Row['reason']> {
  const key = `${code} ${rule}`;
  let reason = reasons.get(key);
  if (reason === undefined) {
    reason = { code, rule };
    reasons.set(key, reason);
  }
  return reason;
}

export function toRow(exchange: Exchange, seq: number): Row {
  const { tokens, times, charge, attempts, fits } = exchange;
  return {
    id: exchange.id,
    seq,
    startedAt: exchange.startedAt,
    api: share(exchange.api),
    client: share(exchange.client),
    session: share(exchange.session),
    prompt: share(exchange.prompt),
    requestClass: share(exchange.requestClass),
    agentType: share(exchange.agentType),
    asked: share(exchange.askedModel),
    model: share(exchange.servedModel),
    path: share(exchange.path),
    initiator: share(exchange.initiator),
    reason: exchange.reason === null ? null : shareReason(exchange.reason),
    status: exchange.status,
    outcome: share(exchange.outcome),
    firstStatus: attempts.length > 1 ? (attempts[0]?.status ?? null) : null,
    attempts: attempts.length,
    failure: share(exchange.failure === null ? null : exchange.failure.message),
    local: exchange.outcome !== 'running' && exchange.path === null,
    changes: share(fits.length === 0 ? '' : fits.map(({ code }) => code).join(' ')),
    changeCount: fits.length,
    input: tokens.input === null ? tokens.cacheWrite : tokens.input + (tokens.cacheWrite ?? 0),
    cached: tokens.cacheRead,
    output: tokens.output,
    headers: times.headers,
    firstToken: times.firstEvent,
    took: times.lastEvent ?? (exchange.outcome === 'running' ? null : times.headers),
    charge: share(charge.kind),
    nanoAiu: charge.nanoAiu,
    premium: charge.premiumRequests,
  };
}

export function isRunning(row: Row): boolean {
  return row.outcome === 'running';
}

export function isError(row: Row): boolean {
  return row.outcome === 'failed' || row.outcome === 'cut' || (row.status !== null && row.status >= 400);
}
