import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** A simulated service. */
export type Service = 'github' | 'github-api' | 'copilot' | 'engines';

/** What the simulator was sent. Secrets in headers and bodies are replaced by a name such as `<copilot-token-1>`. */
export interface RecordedRequest {
  id: string;
  service: Service;
  /** ms since the epoch. */
  at: number;
  method: string;
  /** Path without the query string. */
  path: string;
  query: string;
  /** Lower-case names; values of a repeated header joined by `, `. */
  headers: Record<string, string>;
  /** Names in the spelling and the order they came in. */
  rawHeaders: [name: string, value: string][];
  /** Parsed JSON or form fields; the text where it is neither; null without a body. */
  body: unknown;
  /** Bytes of the body. */
  bytes: number;
  /** `anthropic-beta`, split at commas. */
  betas: string[];
  initiator: string | null;
  /** The status answered; null until then. */
  status: number | null;
  /** `aborted`: the other side left before the end. `broken`: a script broke it off. */
  outcome: 'open' | 'answered' | 'aborted' | 'broken';
}

/** A request as it stands before its body is parsed. `hide` replaces what must not be kept. */
export function recordRequest(
  service: Service,
  request: IncomingMessage,
  body: { parsed: unknown; bytes: number },
  hide: (name: string, value: string) => string,
): RecordedRequest {
  const url = new URL(request.url ?? '/', 'http://simulator');
  const rawHeaders: [string, string][] = [];
  const headers: Record<string, string> = {};
  for (let at = 0; at + 1 < request.rawHeaders.length; at += 2) {
    const name = request.rawHeaders[at] ?? '';
    const value = hide(name, request.rawHeaders[at + 1] ?? '');
    rawHeaders.push([name, value]);
    const key = name.toLowerCase();
    headers[key] = headers[key] === undefined ? value : `${headers[key]}, ${value}`;
  }
  return {
    id: randomUUID(),
    service,
    at: Date.now(),
    method: request.method ?? 'GET',
    path: url.pathname,
    query: url.search.replace(/(?<=[?&]api_key=)[^&]+/, (key) => hide('api_key', key)),
    headers,
    rawHeaders,
    body: body.parsed,
    bytes: body.bytes,
    betas: splitBetas(headers['anthropic-beta']),
    initiator: headers['x-initiator'] ?? null,
    status: null,
    outcome: 'open',
  };
}

function splitBetas(value: string | undefined): string[] {
  return (value ?? '')
    .split(',')
    .map((beta) => beta.trim())
    .filter((beta) => beta !== '');
}
