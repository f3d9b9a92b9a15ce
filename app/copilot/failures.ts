import { type IncomingHttpHeaders, STATUS_CODES } from 'node:http';
import { type AccountError, isOfSignIn, readNotice } from '../account/account-error.ts';
import { asObject, asText, readRetryAfter } from '../account/read-response.ts';
import type { Notice } from '../api/account.ts';
import type { LimitKind } from '../api/exchange.ts';
import { type JsonObject, parseObject } from '../formats/wire/json.ts';
import type { NetworkError, Redact } from '../ports.ts';
import { readRequestIds } from './outgoing.ts';

/**
 * Whatever went wrong on the other side, in one shape. `exchange/recover/` gives it to each client in its own words.
 * Those of `vscode` are in our words already: of the extension there, or of who looks for it.
 */
export interface CopilotFailure {
  /** `jumpseat`: held back here, with the words of Copilot's refusals before. */
  source: 'copilot' | 'github' | 'network' | 'jumpseat' | 'vscode';
  /** Status of the answer; null when there was none. */
  status: number | null;
  /** Copilot's code, without what follows a colon; else the error's type; null when it gave neither. */
  code: string | null;
  /**
   * What the other side said: for the client that asked alone, because it may quote the request. Of a web
   * page its title. For `network` the bare reason, to stand in brackets behind the host.
   */
  message: string;
  /**
   * Whose words these are, as far as the answer shows it. `page`: a web page, which no API writes: of a gateway before
   * Copilot.
   */
  speaker: 'copilot' | 'page' | 'unsure';
  /** Copilot's and GitHub's ids of the request, for their support. */
  requestIds: string[];
  /** The largest wait that any header named, in whole seconds. 465000 has been seen. */
  retryAfterSeconds: number | null;
  /** `x-ratelimit-exceeded`: `quota_exceeded`, or a key that names a window. */
  limitExceeded: string | null;
  notice: Notice | null;
  /** Address at which the organisation's authorisation can be given. */
  authorizeUrl: string | null;
  host: string | null;
  /** A connection was made and no answer came, so that the model may have been at work on the request. */
  mayHaveArrived: boolean;
  /** True if no account is signed in, or the sign-in is no longer accepted: only signing in again helps. */
  signedOut: boolean;
  /** GitHub gives out tokens and Copilot refuses them: the sign-in is fine, and waiting helps. */
  tokensRefused: boolean;
}

const longestMessage = 2000;
const longestTitle = 100;

/** What a refusal is read with. */
interface FailureReading {
  /** For a `retry-after` date in an answer that has no `date` of its own. */
  now?: number;
  /** Takes out of a text what is secret; only of texts that are decoded, since an escape hides what it spells. */
  redact?: Redact;
  /** Whether the request has these words, so that they are no code of Copilot's. */
  isQuoted?: (words: string) => boolean;
}

/**
 * Reads a refusal. Copilot uses four shapes: Anthropic's envelope (`error-400-cache_control-scope`), `{error:{message,
 * code}}` (`error-400-external-image-url`), flat `{message, code?}` (`error-400-fallbacks`), plain text
 * (`error-401-token-expired`); the body may also be an `error` event, or empty.
 */
export function readFailure(
  status: number,
  headers: IncomingHttpHeaders,
  body: string,
  { now = Date.now(), redact = (text) => text, isQuoted }: FailureReading = {},
): CopilotFailure {
  const { code, message, json, speaker } = readError(body);
  const authorizeUrl = json && httpsOnly(asText(json.authorize_url) ?? asText(asObject(json.error)?.authorize_url));
  const notice = json && readNotice(json, redact);
  return {
    ...blank,
    source: 'copilot',
    status,
    code: plainCode(code === null ? null : redact(code), isQuoted),
    // Cut when it is redacted: a secret cut in two is known no more.
    message: message === '' && speaker !== 'page' ? statusText(status) : redact(message).slice(0, longestMessage),
    speaker: speaker === 'copilot' && !isCopilots(status, headers, json) ? 'unsure' : speaker,
    requestIds: readRequestIds(headers, redact),
    retryAfterSeconds: readRetryAfter(headers, now),
    limitExceeded: asText(headers['x-ratelimit-exceeded']),
    notice,
    authorizeUrl: authorizeUrl === null ? null : redact(authorizeUrl),
  };
}

/**
 * GitHub's id is its own; without it a text, or a server error without Copilot's envelope, may be from any program on
 * the way.
 */
function isCopilots(status: number, headers: IncomingHttpHeaders, json: JsonObject | null): boolean {
  if (headers['x-github-request-id'] !== undefined) return true;
  return json !== null && (status < 500 || asObject(json.error) !== null);
}

/** `Copilot answered 502: Bad Gateway`: who speaks, with which status, and what. */
export function whoSaidWhat(failure: Pick<CopilotFailure, 'speaker' | 'status' | 'message'>): string {
  const { speaker, message } = failure;
  const who = `${speakers[speaker]} answered ${failure.status ?? 'nothing'}`;
  if (speaker !== 'page') return message === '' ? who : `${who}: ${message}`;
  return `${who} with a web page${message === '' ? '' : ` titled “${message}”`}`;
}

const speakers: Record<CopilotFailure['speaker'], string> = {
  copilot: 'Copilot',
  page: 'A gateway before Copilot',
  unsure: 'Copilot or a gateway before it',
};

/** Failure without an answer. */
export function failureFromNetwork(error: NetworkError): CopilotFailure {
  const { host, message, nothingSent } = error;
  const code = networkCode(error.code);
  return { ...blank, source: 'network', code, message, host, mayHaveArrived: !nothingSent };
}

/** True if the model may have been at work: no answer came, or one that a server gives which fails amid its work. */
export function mayHaveWorked({ mayHaveArrived, source, status, code }: CopilotFailure): boolean {
  if (mayHaveArrived) return true;
  if (source !== 'copilot' || status === null || status < 500 || status === 529) return false;
  return status !== 503 || !overloads.has(code ?? '');
}

/** Copilot's codes with a 503 that took nothing on. Without one it may be any failure of a server. */
export const overloads: ReadonlySet<string> = new Set([
  'model_overloaded',
  'overloaded_error',
  'server_is_overloaded',
  'upstream_provider_rate_limit',
]);

/** Silence after the request was sent: the model may be at work on it still. */
export function isUnanswered({ mayHaveArrived, code }: CopilotFailure): boolean {
  return mayHaveArrived && code === 'TIMEOUT';
}

/** Node's codes and our own are in capitals. */
function networkCode(code: string | null): string | null {
  return code !== null && /^[A-Z][A-Z0-9_]{1,60}$/.test(code) ? code : null;
}

/** There was no token to send. */
export function failureFromAccount(error: AccountError): CopilotFailure {
  if (error.kind === 'network') {
    return { ...blank, source: 'network', code: networkCode(error.code), message: error.message, host: error.host };
  }
  const signedOut = isOfSignIn(error);
  return {
    ...blank,
    source: 'github',
    status: error.kind === 'signed-out' ? 401 : error.kind === 'rate-limited' ? 429 : error.status,
    code: plainCode(error.notice?.id ?? null) ?? error.kind.replaceAll('-', '_'),
    message: error.kind === 'broken' || signedOut ? `${error.message} ${error.remedy}` : error.message,
    retryAfterSeconds: error.retryAfterSeconds,
    notice: error.notice,
    host: error.host,
    signedOut,
    tokensRefused: error.kind === 'tokens-refused',
  };
}

/** Failure of the way through VS Code; `message` is passed to the client as it is. */
export function failureFromVscode(
  status: number,
  code: string,
  message: string,
  more: Partial<Pick<CopilotFailure, 'retryAfterSeconds'>> = {},
): CopilotFailure {
  return { ...blank, ...more, source: 'vscode', status, code, message };
}

/** An answer of Copilot's that came and can't be used. */
export function unusableAnswer(status: number, code: string, message: string): CopilotFailure {
  return { ...blank, source: 'copilot', status, code, message };
}

const blank: Omit<CopilotFailure, 'source' | 'message'> = {
  speaker: 'copilot',
  status: null,
  code: null,
  requestIds: [],
  retryAfterSeconds: null,
  limitExceeded: null,
  notice: null,
  authorizeUrl: null,
  host: null,
  mayHaveArrived: false,
  signedOut: false,
  tokensRefused: false,
};

interface ReadError {
  code: string | null;
  message: string;
  json: JsonObject | null;
  speaker: CopilotFailure['speaker'];
}

function readError(body: string): ReadError {
  const text = body.trim();
  // A gateway in between answers with a page, which says little in a terminal.
  if (text.startsWith('<')) return { code: null, message: titleOf(text), json: null, speaker: 'page' };
  const json = parseObject(text) ?? parseObject(eventData(text));
  if (!json) return { code: null, message: text, json: null, speaker: 'copilot' };
  const inner = asObject(json.error) ?? json;
  const message = asText(inner.message) ?? asText(json.message) ?? asText(json.error) ?? '';
  return { code: asText(inner.code) ?? asText(inner.type), message, json, speaker: 'copilot' };
}

/** `Access Denied`, on one line; empty where the page has none. */
function titleOf(page: string): string {
  const [, title = ''] = /<title[^>]{0,200}>([^<]{1,1000})/i.exec(page) ?? [];
  return title
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, longestTitle);
}

/** The data of a body that is one server-sent event. */
function eventData(text: string): string {
  if (!/^(event|data):/.test(text)) return '';
  const line = text.split(/\r\n|\n|\r/).find((candidate) => candidate.startsWith('data:'));
  return line ? line.slice('data:'.length) : '';
}

function statusText(status: number): string {
  return STATUS_CODES[status] ?? `status ${status}`;
}

function httpsOnly(text: string | null): string | null {
  return text && URL.canParse(text) && new URL(text).protocol === 'https:' ? text : null;
}

/** What Copilot says of a request whose token it has taken. */
export function showsGoodToken({ status, speaker }: CopilotFailure): boolean {
  return speaker === 'copilot' && status !== null && [400, 402, 404, 413, 422, 429].includes(status);
}

/**
 * Codes and types of errors that were seen or are documented: `copilot.md`'s table, Anthropic's types, OpenAI's codes.
 * Each with the limit that it names; null if there is none.
 */
const codes: ReadonlyMap<string, LimitKind | null> = new Map(
  Object.entries<LimitKind | null>({
    model_not_supported: null,
    model_max_prompt_tokens_exceeded: null,
    invalid_request_body: null,
    unsupported_value: null,
    invalid_reasoning_effort: null,
    off_topic: null,
    previous_response_not_found: null,
    quota_exceeded: 'credits',
    free_quota_exceeded: 'credits',
    overage_limit_reached: 'credits',
    additional_spend_limit_reached: 'credits',
    billing_not_configured: 'credits',
    user_request_timeout: null,
    rate_limited: null,
    user_model_rate_limited: 'model',
    user_global_rate_limited: 'account',
    user_weekly_rate_limited: 'weekly',
    integration_rate_limited: 'client',
    model_overloaded: 'overloaded',
    agent_mode_limit_exceeded: 'agents',
    upstream_provider_rate_limit: 'provider',
    extension_blocked: 'blocked',
    client_version_deprecated: null,
    content_filter: null,
    invalid_request_error: null,
    authentication_error: null,
    permission_error: null,
    not_found_error: null,
    request_too_large: null,
    rate_limit_error: null,
    billing_error: null,
    overloaded_error: null,
    api_error: null,
    timeout_error: null,
    policy_blocked: null,
    server_error: null,
    internal_error: null,
    invalid_prompt: null,
    rate_limit_exceeded: null,
    insufficient_quota: null,
    context_length_exceeded: null,
    server_is_overloaded: null,
    unknown_parameter: null,
    unsupported_parameter: null,
    error: null,
  }),
);
/** Words joined by an underscore or a hyphen: how an API spells a code and no sentence is written. */
const likeACode = /^[a-z][a-z0-9]{0,31}(?:[_-][a-z0-9]{1,31}){1,7}$/;

/**
 * A code that may be kept and shown: a known one, or one that is spelled like a code and is no part of the request that
 * was refused. Of a code with a colon the part before it. Null if it is none.
 */
export function plainCode(text: string | null, isQuoted: (words: string) => boolean = () => false): string | null {
  if (text === null) return null;
  const [code = ''] = text.split(':', 1);
  if (codes.has(code)) return code;
  return likeACode.test(code) && !isQuoted(code) ? code : null;
}

/**
 * The code of the body counts more than the header `x-ratelimit-exceeded`: the weekly limit comes with the header
 * `quota_exceeded`. A window that the header names says more of the account's limit than the code for all of them.
 */
export function limitOf({
  status,
  code,
  limitExceeded,
}: Pick<CopilotFailure, 'status' | 'code' | 'limitExceeded'>): LimitKind {
  if (status === 402) return 'credits';
  const named = codes.get(code ?? '') ?? null;
  if (named !== null && named !== 'account') return named;
  const exceeded = limitExceeded ?? '';
  if (exceeded.includes('weekly')) return 'weekly';
  if (exceeded.includes('global-usage-5-hour-key')) return 'session';
  if (named !== null) return named;
  return exceeded === 'quota_exceeded' ? 'credits' : 'unnamed';
}

/**
 * Why a request may be sent again: each shows that nothing was done with it. A server error, a reset and silence do
 * not: the model may have been at work, so the client gets them at once and decides.
 */
export type ReplayKind = 'token-refused' | 'wrong-host' | 'forbidden' | 'request-timeout' | 'network';

/** Each kind is met once per sending. Who may not connect in time would wait as long again. */
export function replayKindOf({ status, code, mayHaveArrived }: CopilotFailure): ReplayKind | null {
  switch (status) {
    case null:
      return mayHaveArrived || code === 'TIMEOUT' ? null : 'network';
    case 401:
      return 'token-refused';
    case 403:
      return 'forbidden';
    case 408:
      return 'request-timeout';
    case 421:
      return 'wrong-host';
    default:
      return null;
  }
}
