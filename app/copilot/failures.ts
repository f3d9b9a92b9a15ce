import { type IncomingHttpHeaders, STATUS_CODES } from 'node:http';
import type { AccountError } from '../account/account-error.ts';
import { asObject, asText, type Json, parseObject } from '../account/json.ts';
import { readNotice } from '../account/notice.ts';
import { readRetryAfter } from '../account/retry-after.ts';
import type { Notice } from '../api/account.ts';
import type { NetworkError } from '../ports.ts';

/** Whatever went wrong on the other side, in one shape. `exchange/recover.ts` gives it to each client in its own words. */
export interface CopilotFailure {
  /** `jumpseat`: held back here, with the words of Copilot's refusals before. */
  source: 'copilot' | 'github' | 'network' | 'jumpseat';
  /** Status of the answer; null when there was none. */
  status: number | null;
  /** Copilot's code, without what follows a colon; else the error's type; null when it gave neither. */
  code: string | null;
  /** What the other side said. For `network` the bare reason, to stand in brackets behind the host. */
  message: string;
  /** Copilot's and GitHub's ids of the request, for their support. */
  requestIds: string[];
  /** The largest wait that any header named, in whole seconds. 465000 has been seen. */
  retryAfterSeconds: number | null;
  /** `x-ratelimit-exceeded`: `quota_exceeded`, or a key that names a window. */
  limitExceeded: string | null;
  notice: Notice | null;
  /** The organisation wants an authorisation, given here. */
  authorizeUrl: string | null;
  host: string | null;
  /** Nobody is signed in, or the sign-in is no longer accepted: only signing in again helps. */
  signedOut: boolean;
}

const idHeaders = ['x-request-id', 'x-github-request-id', 'apim-request-id'] as const;
const longestMessage = 2000;

/** Copilot's and GitHub's ids of an answer. */
export function readRequestIds(headers: IncomingHttpHeaders): string[] {
  const ids: string[] = [];
  for (const name of idHeaders) {
    const id = headers[name];
    if (typeof id === 'string' && id !== '' && !ids.includes(id)) ids.push(id);
  }
  return ids;
}

/**
 * Reads a refusal. Copilot uses four shapes: Anthropic's envelope (`error-400-cache_control-scope`), `{error:{message, code}}`
 * (`error-400-external-image-url`), flat `{message, code?}` (`error-400-fallbacks`), plain text (`error-401-token-expired`); the
 * body may also be an `error` event, or empty.
 * @param now for a `retry-after` date in an answer that has no `date` of its own.
 */
export function readFailure(
  status: number,
  headers: IncomingHttpHeaders,
  body: string,
  now = Date.now(),
): CopilotFailure {
  const { code, message, json } = readError(body);
  return {
    source: 'copilot',
    status,
    code,
    message: message === '' ? statusText(status) : message,
    requestIds: readRequestIds(headers),
    retryAfterSeconds: readRetryAfter(headers, now),
    limitExceeded: asText(headers['x-ratelimit-exceeded']),
    notice: json && readNotice(json),
    authorizeUrl: json && httpsOnly(asText(json.authorize_url) ?? asText(asObject(json.error)?.authorize_url)),
    host: null,
    signedOut: false,
  };
}

/** No answer came. */
export function failureFromNetwork(error: NetworkError): CopilotFailure {
  return { ...blank, source: 'network', code: error.code, message: error.message, host: error.host };
}

/** There was no token to send. */
export function failureFromAccount(error: AccountError): CopilotFailure {
  if (error.kind === 'network') {
    return { ...blank, source: 'network', code: error.code, message: error.message, host: error.host };
  }
  return {
    ...blank,
    source: 'github',
    status: error.kind === 'signed-out' ? 401 : error.kind === 'rate-limited' ? 429 : error.status,
    code: error.notice?.id ?? error.kind.replaceAll('-', '_'),
    message: error.kind === 'broken' ? `${error.message} ${error.mend}` : error.message,
    retryAfterSeconds: error.retryAfterSeconds,
    notice: error.notice,
    host: error.host,
    signedOut: error.kind === 'signed-out' || (error.kind === 'refused' && error.status === 401 && !error.notice),
  };
}

const blank: Omit<CopilotFailure, 'source' | 'message'> = {
  status: null,
  code: null,
  requestIds: [],
  retryAfterSeconds: null,
  limitExceeded: null,
  notice: null,
  authorizeUrl: null,
  host: null,
  signedOut: false,
};

function readError(body: string): { code: string | null; message: string; json: Json | null } {
  const text = body.trim();
  const json = parseObject(text) ?? parseObject(eventData(text));
  if (!json) return { code: null, message: looksLikeMarkup(text) ? '' : text.slice(0, longestMessage), json: null };
  const inner = asObject(json.error) ?? json;
  const message = asText(inner.message) ?? asText(json.message) ?? asText(json.error) ?? '';
  return { code: readCode(inner), message: message.slice(0, longestMessage), json };
}

function readCode(error: Json): string | null {
  const code = asText(error.code) ?? asText(error.type);
  const colon = code?.indexOf(':') ?? -1;
  return code && colon > 0 ? code.slice(0, colon) : code;
}

/** The data of a body that is one server-sent event. */
function eventData(text: string): string {
  if (!/^(event|data):/.test(text)) return '';
  const line = text.split(/\r\n|\n|\r/).find((candidate) => candidate.startsWith('data:'));
  return line ? line.slice('data:'.length) : '';
}

/** A gateway in between answers with a page; nobody wants to read it in a terminal. */
function looksLikeMarkup(text: string): boolean {
  return text.startsWith('<');
}

function statusText(status: number): string {
  return STATUS_CODES[status] ?? `status ${status}`;
}

function httpsOnly(text: string | null): string | null {
  return text && URL.canParse(text) && new URL(text).protocol === 'https:' ? text : null;
}
