import type { Exchange } from '../../app/api/exchange.ts';
import type { RecordedHeader } from '../../app/api/recording.ts';
import { withContext } from '../../app/words/context.ts';
import { csvCell } from '../../app/words/text.ts';
import { folderOf } from '../state/log/row.ts';
import type { SaidById } from './fetch-exchanges.ts';

const nothingSaid: SaidById = new Map();

/** One request per line. Exchanges hold no content; what was said is in it only where it is handed in. */
export function toJsonLines(exchanges: readonly Exchange[], said = nothingSaid): string {
  return exchanges
    .map((exchange) => {
      const one = said.get(exchange.id);
      const whole = withContext(exchange);
      return `${JSON.stringify(one === undefined ? whole : { ...whole, bodies: one.bodies })}\n`;
    })
    .join('');
}

/** By the ids of sessions. */
export type Folders = Readonly<Record<string, string>>;

const csvColumns: readonly [string, (exchange: Exchange, folders: Folders) => string | number | null][] = [
  ['id', ({ id }) => id],
  ['started_at', ({ startedAt }) => new Date(startedAt).toISOString()],
  ['client', ({ client }) => client],
  ['key', ({ key }) => key ?? null],
  ['account', ({ account }) => account ?? null],
  ['folder', (exchange, folders) => folderOf(exchange, folders)],
  ['endpoint', ({ api }) => api],
  ['session', ({ session }) => session],
  ['prompt', ({ prompt }) => prompt],
  ['class', ({ requestClass }) => requestClass],
  ['initiator', ({ initiator }) => initiator],
  ['reason', ({ reason }) => reason?.code ?? null],
  ['asked_model', ({ askedModel }) => askedModel],
  ['served_model', ({ servedModel }) => servedModel],
  ['path', ({ path }) => path],
  ['status', ({ status }) => status],
  ['outcome', ({ outcome }) => outcome],
  ['first_token_ms', ({ times }) => times.firstEvent],
  ['took_ms', ({ times }) => times.lastEvent],
  ['input_tokens', ({ tokens }) => tokens.input],
  ['cache_read_tokens', ({ tokens }) => tokens.cacheRead],
  ['cache_write_tokens', ({ tokens }) => tokens.cacheWrite],
  ['output_tokens', ({ tokens }) => tokens.output],
  ['charge', ({ charge }) => charge.kind],
  ['credits', ({ charge }) => (charge.nanoAiu === null ? null : charge.nanoAiu / 1e9)],
  ['estimated_credits', ({ charge }) => (charge.estimate === undefined ? null : charge.estimate / 1e9)],
  ['premium_requests', ({ charge }) => charge.premiumRequests],
  ['changes', ({ fits }) => fits.map(({ code }) => code).join(' ')],
  ['error', ({ failure }) => failure?.message ?? null],
];

export function toCsv(exchanges: readonly Exchange[], folders: Folders): string {
  const lines = exchanges.map((one) => csvColumns.map(([, pick]) => csvCell(pick(one, folders))).join(','));
  return `${[csvColumns.map(([name]) => name).join(','), ...lines].join('\r\n')}\r\n`;
}

/** HAR 1.2: addresses, times, sizes and our own findings as `_jumpseat`; contents only where they are handed in. */
export function toHar(exchanges: readonly Exchange[], version: string, baseUrl: string, said = nothingSaid): string {
  const log = {
    version: '1.2',
    creator: { name: 'Jumpseat', version },
    entries: exchanges.map((exchange) => harEntry(exchange, baseUrl, said)),
  };
  return `${JSON.stringify({ log }, null, 1)}\n`;
}

function harEntry(exchange: Exchange, baseUrl: string, said: SaidById): unknown {
  const { times, status, shape } = exchange;
  const { bodies, headers: received } = said.get(exchange.id) ?? { bodies: {}, headers: null };
  const answer = bodies.returned ?? bodies.answer;
  const total = times.lastEvent ?? times.headers ?? 0;
  const sent = times.sent ?? 0;
  const headers = times.headers ?? total;
  return {
    startedDateTime: new Date(exchange.startedAt).toISOString(),
    time: total,
    request: {
      method: 'POST',
      url: `${baseUrl}${routeOf(exchange)}`,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: harHeaders(received?.client),
      queryString: [],
      headersSize: -1,
      bodySize: shape?.request?.bytes ?? -1,
      ...(bodies.received === undefined
        ? {}
        : { postData: { mimeType: 'application/json', params: [], text: bodies.received } }),
    },
    response: {
      status: status ?? 0,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: harHeaders(received?.answered),
      content: {
        size: shape?.answer?.bytes ?? -1,
        mimeType: exchange.streamed ? 'text/event-stream' : 'application/json',
        ...(answer === undefined ? {} : { text: answer }),
      },
      redirectURL: '',
      headersSize: -1,
      bodySize: shape?.answer?.bytes ?? -1,
    },
    cache: {},
    timings: {
      blocked: sent,
      dns: -1,
      connect: -1,
      ssl: -1,
      send: 0,
      wait: Math.max(0, headers - sent),
      receive: Math.max(0, total - headers),
    },
    _jumpseat: { ...withContext(exchange), ...(bodies.sent !== undefined && { bodies: { sent: bodies.sent } }) },
  };
}

function harHeaders(headers: readonly RecordedHeader[] | null | undefined): { name: string; value: string }[] {
  return (headers ?? []).map(({ name, value }) => ({ name, value: value ?? '[redacted]' }));
}

/** A search that was typed into the window or a terminal came in nowhere. */
export function isOwnSearch({ api, client }: Pick<Exchange, 'api' | 'client'>): boolean {
  return api === 'web' && client === 'jumpseat';
}

/** Where a request of this kind comes in. */
export function routeOf({ api }: Pick<Exchange, 'api'>): string {
  switch (api) {
    case 'messages':
      return '/v1/messages';
    case 'count-tokens':
      return '/v1/messages/count_tokens';
    case 'chat':
      return '/v1/chat/completions';
    case 'responses':
      return '/v1/responses';
    case 'embeddings':
      return '/v1/embeddings';
    case 'web':
      return '/mcp';
  }
}
