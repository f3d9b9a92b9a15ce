import type { Exchange, ExchangeRow } from '../../../app/api/exchange.ts';
import { isSessionLabel } from '../../../app/words/sessions.ts';

/**
 * One request as the list keeps it: what its cells, the filter and the sums need and nothing else, flat and with shared
 * strings, so that a hundred thousand of them fit into a page. Never changed; an update is a new row with the same
 * `seq`.
 */
export interface Row extends Readonly<ExchangeRow> {
  /** The order among rows of one start time. */
  readonly seq: number;
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

function shareReason({ code, rule }: NonNullable<Row['reason']>): NonNullable<Row['reason']> {
  const key = `${code} ${rule}`;
  let reason = reasons.get(key);
  if (reason === undefined) {
    reason = { code, rule };
    reasons.set(key, reason);
  }
  return reason;
}

/** A line of the history, with its strings shared. */
export function keptRow(row: ExchangeRow, seq: number): Row {
  return {
    id: row.id,
    seq,
    startedAt: row.startedAt,
    api: share(row.api),
    client: share(row.client),
    ...(row.key !== undefined && { key: share(row.key) }),
    ...(row.account !== undefined && { account: share(row.account) }),
    session: share(row.session),
    prompt: share(row.prompt),
    requestClass: share(row.requestClass),
    agentType: share(row.agentType),
    asked: share(row.asked),
    model: share(row.model),
    path: share(row.path),
    initiator: share(row.initiator),
    reason: row.reason === null ? null : shareReason(row.reason),
    status: row.status,
    held: row.held,
    outcome: share(row.outcome),
    firstStatus: row.firstStatus,
    attempts: row.attempts,
    failure: share(row.failure),
    changes: share(row.changes),
    changeCount: row.changeCount,
    input: row.input,
    cached: row.cached,
    output: row.output,
    firstToken: row.firstToken,
    took: row.took,
    charge: share(row.charge),
    nanoAiu: row.nanoAiu,
    premium: row.premium,
    size: row.size,
    contents: share(row.contents),
  };
}

/** The line of a whole exchange. */
export function rowOf(exchange: Exchange, seq: number): Row {
  const { tokens, times, charge, attempts, fits, reason, failure, shape } = exchange;
  return keptRow(
    {
      id: exchange.id,
      startedAt: exchange.startedAt,
      api: exchange.api,
      client: exchange.client,
      ...(exchange.key !== undefined && { key: exchange.key }),
      ...(exchange.account !== undefined && { account: exchange.account }),
      session: exchange.session,
      prompt: exchange.prompt,
      requestClass: exchange.requestClass,
      agentType: exchange.agentType,
      asked: exchange.askedModel,
      model: exchange.servedModel,
      path: exchange.path,
      initiator: exchange.initiator,
      reason,
      status: exchange.status,
      held: exchange.held,
      outcome: exchange.outcome,
      firstStatus: attempts.length > 1 ? (attempts[0]?.status ?? null) : null,
      attempts: attempts.length,
      failure: failure === null ? null : failure.message,
      changes: fits.map(({ code }) => code).join(' '),
      changeCount: fits.length,
      input: tokens.input === null ? tokens.cacheWrite : tokens.input + (tokens.cacheWrite ?? 0),
      cached: tokens.cacheRead,
      output: tokens.output,
      firstToken: times.firstEvent,
      took: times.lastEvent ?? times.headers,
      charge: charge.kind,
      nanoAiu: charge.nanoAiu,
      premium: charge.premiumRequests,
      size: shape?.request?.bytes ?? null,
      contents: shape?.request == null ? null : contentsOf(shape.request),
    },
    seq,
  );
}

/**
 * The folder that the session of a request works in; null: not known.
 * @param folders by the ids of sessions
 */
export function folderOf(
  { client, session }: Pick<Row, 'client' | 'session'>,
  folders: Readonly<Record<string, string>>,
): string | null {
  return folders[isSessionLabel(client) ? client : (session ?? '')] ?? null;
}

/** Answered here, never sent. */
export function isLocal(row: Row): boolean {
  return row.path === null && !isRunning(row);
}

export function isRunning(row: Row): boolean {
  return row.outcome === 'running';
}

export function isError(row: Pick<Row, 'outcome' | 'status'>): boolean {
  if (row.outcome === 'declined') return false;
  return row.outcome === 'failed' || row.outcome === 'cut' || (row.status !== null && row.status >= 400);
}

/** What a body can hold, as a list tells it without text of the body. */
export const contentKinds = ['tools', 'images', 'thinking'] as const;

/** `tools thinking`: those of which there is some. */
function contentsOf(counts: { readonly [Kind in (typeof contentKinds)[number]]: unknown }): string {
  return contentKinds.filter((kind) => Boolean(counts[kind])).join(' ');
}
