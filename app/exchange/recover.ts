import type { ErrorKind, Failure, LimitKind } from '../api/exchange.ts';
import type { Absence } from '../api/models.ts';
import { plainCode } from '../copilot/failure-code.ts';
import { type CopilotFailure, whoSaidWhat } from '../copilot/failures.ts';
import { limitOf } from '../copilot/limit-of.ts';
import type { AnswerFailure } from '../formats/answer/answer.ts';
import type { AnthropicErrorType } from '../formats/messages/error.ts';
import { anthropicErrorTypeFor } from '../formats/messages/error.ts';
import type { Redact } from '../ports.ts';
import { failureWords } from '../words/failures.ts';
import { dayAndTime, wait, weekdayAndTime } from '../words/times.ts';
import type { Refusal } from './fits/fit.ts';

/**
 * The one place where a failure is put into the words that the client understands.
 *
 * What Claude Code does with each answer was measured with 2.1.328: it retries 401 for minutes unless told not to,
 * sends an unknown 400 six times, compacts only on the exact sentence about a prompt that is too long, and shows 402 as
 * it is. Every row below follows from that.
 */
export interface ClientError {
  kind: ErrorKind;
  status: number;
  type: AnthropicErrorType;
  message: string;
  /**
   * What Copilot or a gateway said, for the client that asked alone: it may quote the request. Null where neither did.
   */
  theirs: string | null;
  /** Whole seconds for `retry-after`. */
  retryAfterSeconds: number | null;
  /** False sends `x-should-retry: false`: a repeat would end the same way. */
  shouldRetry: boolean;
  /** The field of the request that is meant, for clients whose errors name one. */
  param?: string;
  /** Whose limit it is about. */
  limit?: LimitKind;
  /** Of the prompt and of what the model takes, where the refusal names them. */
  tooLong?: Failure['tooLong'] & object;
  /** For the log: who failed and how. Holds no word of Copilot's, nor of the request. */
  failure: Failure;
}

export interface RecoverContext {
  now: number;
  /** ISO time at which the quota starts anew, where GitHub has said. */
  quotaResetsAt: string | null;
  weeklyResetsAt: string | null;
  sessionResetsAt: string | null;
  askedModel: string | null;
  servedModel: string | null;
  /** Why the served model is not offered; null: it is, or none was chosen. */
  absence: Absence | null;
  /** Ids that this account can use. */
  offered: readonly string[];
  /** Takes out of a text what is secret. */
  redact: Redact;
  /** Whether the request has these words, so that they are no code of Copilot's. */
  isQuoted?: (words: string) => boolean;
}

const signIn = 'Click the tray icon and sign in, or run "jumpseat login".';
const offlineCodes = new Set(['ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH', 'EHOSTUNREACH', 'ENETDOWN', 'EADDRNOTAVAIL']);
/** From here on Claude Code gives up by itself; saying so saves it the attempt. */
const longestRetryAfter = 60;

/** A failure of the way to Copilot, or Copilot's own refusal, before any byte of an answer. */
export function recoverFailure(failure: CopilotFailure, context: RecoverContext): ClientError {
  const { quotes, ...told } = tell(failure, context);
  const facts = {
    source: failure.source,
    status: failure.status,
    code: failure.code ?? (failure.source === 'network' ? 'network' : `http-${failure.status ?? 'none'}`),
  };
  return {
    ...told,
    theirs: failure.source === 'copilot' ? whoSaidWhat(failure) : null,
    failure: { ...facts, message: failureWords(facts), told: quotes ? null : told.message },
    ...(isOfLimit(told.kind) && failure.source === 'copilot' ? { limit: limitOf(failure) } : {}),
    ...tooLong(told.kind, failure.message),
  };
}

/** What a row of the log has of it beside its facts, for code to decide by. */
export function kindOf({ kind, limit, tooLong }: ClientError): Pick<Failure, 'kind' | 'limit' | 'tooLong'> {
  return { kind, ...(limit === undefined ? {} : { limit }), ...(tooLong === undefined ? {} : { tooLong }) };
}

function isOfLimit(kind: ErrorKind): boolean {
  return kind === 'limit' || kind === 'no-credits' || kind === 'overloaded';
}

function tooLong(kind: ErrorKind, message: string): Pick<ClientError, 'tooLong'> {
  const numbers = kind === 'too-long' ? tooLongNumbers(message) : null;
  return numbers === null ? {} : { tooLong: { tokens: Number(numbers.tokens), most: Number(numbers.maximum) } };
}

type Told = Pick<ClientError, 'kind' | 'status' | 'type' | 'message' | 'retryAfterSeconds' | 'shouldRetry'> & {
  /** The message holds words of others, or of the request: it is told and not kept. */
  quotes: boolean;
};

/** In our own words, which may be kept. */
function say(
  kind: ErrorKind,
  status: number,
  type: AnthropicErrorType,
  message: string,
  more: Partial<Told> = {},
): Told {
  return { kind, status, type, message, retryAfterSeconds: null, shouldRetry: true, quotes: false, ...more };
}
const final = { shouldRetry: false } as const;
const quoting = { quotes: true } as const;

function tell(failure: CopilotFailure, context: RecoverContext): Told {
  if (failure.source === 'vscode') return tellVscode(failure);
  if (failure.signedOut)
    return say('signed-out', 401, 'authentication_error', `Jumpseat: not signed in to GitHub. ${signIn}`, final);
  if (failure.tokensRefused) return tellTokensRefused(failure);
  if (failure.notice !== null) {
    const { title, message, url } = failure.notice;
    const sentences = [ended(title), ended(message), url].filter(Boolean).join(' ');
    return say('no-access', 403, 'permission_error', `Jumpseat: ${sentences}`, { ...final, ...quoting });
  }
  if (failure.source === 'network') {
    const offline = offlineCodes.has(failure.code ?? '');
    return say(
      'no-connection',
      502,
      'api_error',
      `Jumpseat: no connection to ${failure.host ?? 'Copilot'} (${unended(failure.message)}). Check the ` +
        'network, then try again.',
      { shouldRetry: !offline, ...quoting },
    );
  }
  if (failure.source === 'github') return tellGithub(failure);
  return tellStatus(failure.status ?? 502, failure, context);
}

/** By the codes of the extension's errors; the words are its own, and some of them are Copilot's. */
const kindByVscodeCode: Readonly<Record<string, ErrorKind>> = {
  no_window: 'no-access',
  consent_required: 'no-access',
  copilot_unavailable: 'no-access',
  model_not_found: 'model',
  rate_limited: 'limit',
  blocked: 'limit',
  too_many_at_once: 'limit',
  quota_exceeded: 'no-credits',
  context_length_exceeded: 'too-long',
};

/** What waits for a person, or would end the same way, is not repeated by the client. */
function tellVscode(failure: CopilotFailure): Told {
  const { code, message } = failure;
  const status = failure.status ?? 503;
  const kind = kindByVscodeCode[code ?? ''] ?? 'refused';
  const isFinal = kind === 'no-access' || kind === 'model' || kind === 'no-credits';
  const type = status === 503 ? 'api_error' : anthropicErrorTypeFor(status);
  if (kind === 'too-long') return say(kind, status, type, tooLongSentence(message) ?? tooLongWithoutNumbers);
  return say(kind, status, type, message, { ...waits(failure), ...(isFinal && final), ...quoting });
}

/**
 * The sign-in is fine, and Jumpseat goes on by itself. Not repeated by the client: Claude Code would try for minutes
 * and then call it an overload.
 */
function tellTokensRefused({ retryAfterSeconds }: CopilotFailure): Told {
  const seconds = retryAfterSeconds ?? 0;
  const again = seconds > 0 ? `in ${wait(seconds)}` : 'in a minute';
  return say(
    'tokens-refused',
    503,
    'api_error',
    `Jumpseat: Copilot refuses the tokens that GitHub gives out just now. Your sign-in is kept. Try again ${again}.`,
    { retryAfterSeconds: seconds > 0 ? seconds : null, ...final },
  );
}

/** There was no token to send; GitHub's words are about the account and never about a request. */
function tellGithub(failure: CopilotFailure): Told {
  const status = failure.status ?? 502;
  const message = `Jumpseat: ${failure.message}`;
  if (status === 429) return say('limit', 429, 'rate_limit_error', message, { ...waits(failure), ...quoting });
  if (status === 403 || status === 404)
    return say('no-access', 403, 'permission_error', message, { ...final, ...quoting });
  return say('refused', 502, 'api_error', message, quoting);
}

function tellStatus(status: number, failure: CopilotFailure, context: RecoverContext): Told {
  const said = whoSaidWhat(failure);
  switch (status) {
    case 400:
      return tellBadRequest(failure, context);
    case 401:
      if (failure.authorizeUrl !== null) {
        return say(
          'authorize',
          401,
          'authentication_error',
          `Jumpseat: your organization wants this sign-in to be authorized. Open ${failure.authorizeUrl}, ` +
            'then try again.',
          { ...final, ...quoting },
        );
      }
      return tellTokensRefused(failure);
    case 402:
      return say('no-credits', 402, 'billing_error', outOfCredits(context), final);
    case 403:
      return say('refused', 403, 'permission_error', `Jumpseat: refused for your account. ${ended(said)}`, {
        ...final,
        ...quoting,
      });
    case 404:
      return say('refused', 404, 'not_found_error', said, quoting);
    case 408:
      return say(
        'too-slow',
        408,
        'api_error',
        'Jumpseat: Copilot waited too long for the request, twice. It is probably too big: run /compact, ' +
          'then try again.',
        final,
      );
    case 413:
      return say(
        'too-large',
        413,
        'request_too_large',
        `Jumpseat: the request is too large. ${ended(said)} Leave out images or run /compact.`,
        quoting,
      );
    case 421:
      return say(
        'refused',
        502,
        'api_error',
        'Jumpseat: Copilot moved your account to another host, and the new one refuses it too. Run "jumpseat doctor".',
        final,
      );
    case 424:
      return say('refused', 502, 'api_error', `Jumpseat: something behind Copilot failed. ${ended(said)}`, quoting);
    case 429:
      return tellRateLimit(failure, context);
    case 466:
      return say('identity', 502, 'api_error', 'Jumpseat: Copilot asks for a newer client. Update Jumpseat.', final);
    case 503:
      return say('overloaded', 529, 'overloaded_error', `Jumpseat: overloaded right now. ${ended(said)}`, {
        ...waits(failure),
        ...quoting,
      });
    default:
      if (status < 400)
        return say(
          'refused',
          502,
          'api_error',
          `Jumpseat: Copilot answered ${status}, which is no answer to this request.`,
        );
      return say('refused', status, anthropicErrorTypeFor(status), said, { ...waits(failure), ...quoting });
  }
}

function tellBadRequest(failure: CopilotFailure, context: RecoverContext): Told {
  const bad = (kind: ErrorKind, message: string, more: Partial<Told> = {}): Told =>
    say(kind, 400, 'invalid_request_error', message, more);
  const sentence = tooLongSentence(failure.message);
  if (sentence !== null) return bad('too-long', sentence);
  if (/Editor-Version/i.test(failure.message))
    return say(
      'identity',
      502,
      'api_error',
      'Jumpseat: Copilot refuses the client identity that was sent. Update Jumpseat.',
      final,
    );
  if (failure.code === 'model_not_supported' || /requested model is not supported/i.test(failure.message))
    return say('model', 404, 'not_found_error', modelRefused(context), quoting);
  if (isTooLong(failure)) return bad('too-long', tooLongWithoutNumbers);
  if (refusedReasoning.test(failure.message)) return bad('lost-reasoning', lostReasoning);
  const alone = forClaudeCode(failure.message);
  return bad('refused', alone ?? whoSaidWhat(failure), quoting);
}

/** Alone, word for word: makes Claude Code compact by itself. Null where the sentence is about something else. */
function tooLongSentence(message: string): string | null {
  const numbers = tooLongNumbers(message);
  return numbers === null ? null : `prompt is too long: ${numbers.tokens} tokens > ${numbers.maximum} maximum`;
}

/** OpenAI's own words have no numbers; this, alone, makes Claude Code compact as well. */
const tooLongWithoutNumbers = 'capability_rejected: prompt_too_long';
/** Again word for word and alone: Claude Code takes its thinking blocks out of the session and goes on. */
const lostReasoning = 'capability_rejected: thinking_signature';

/**
 * Sentences of Anthropic's by which Claude Code mends its request itself (measured with 2.1.328): it lowers max_tokens,
 * drops a field, system messages or thinking. They go on as they are, and alone.
 */
const understood = [
  /^input length and `max_tokens` exceed context limit: \d+ \+ \d+ > \d+(?:, decrease input length or `max_tokens` and try again)?/,
  /^[\w.]+: Extra inputs are not permitted\.?$/,
  /^messages: Unexpected role "system"\./,
  /^messages\.\d+\.role: Input should be/,
  /^messages\.[\w.]+: Invalid `?(?:signature|data)`? in `?(?:redacted_)?thinking`?/,
  /^output_config\.effort "\w+" is not supported by model/,
];

function forClaudeCode(message: string): string | null {
  return understood.some((words) => words.test(message)) ? message : null;
}

function isTooLong({ code, message }: { code: string | null; message: string }): boolean {
  return code === 'context_length_exceeded' || /exceeds the context window/i.test(message);
}

/**
 * `/responses` on reasoning that it can't read any more: it is bound to the account and the model, and to items that a
 * client may have lost.
 */
const refusedReasoning =
  /encrypted content.*could not be (?:verified|decrypted)|of type 'reasoning' was provided without its required/i;

/** Two numbers in any of the known wordings; null where the sentence is about something else. */
function tooLongNumbers(message: string): { tokens: string; maximum: string } | null {
  const match =
    /prompt token count of (\d+) exceeds the limit of (\d+)/.exec(message) ??
    /prompt is too long: (\d+) tokens > (\d+)/.exec(message);
  const [, tokens, maximum] = match ?? [];
  return tokens !== undefined && maximum !== undefined ? { tokens, maximum } : null;
}

const limitSentences: Record<Exclude<LimitKind, 'overloaded' | 'credits'>, string> = {
  weekly: 'you’ve reached Copilot’s weekly limit',
  session: 'you’ve reached Copilot’s 5-hour limit',
  account: 'you’ve reached Copilot’s limit for your account',
  model: 'Copilot limits how often you may use this model',
  client: 'Copilot limits how often this kind of client may ask',
  agents: 'you’ve reached Copilot’s limit for agents',
  provider: 'the provider behind Copilot is at its limit',
  blocked: 'Copilot has blocked this client for now',
  unnamed: 'Copilot asks to slow down',
};

function tellRateLimit(failure: CopilotFailure, context: RecoverContext): Told {
  const limit = limitOf(failure);
  if (limit === 'overloaded')
    return say(
      'overloaded',
      529,
      'overloaded_error',
      'Jumpseat: this model is overloaded at Copilot right now.',
      waits(failure),
    );
  if (limit === 'credits')
    return say('no-credits', 429, 'billing_error', outOfCredits(context), { ...waits(failure), ...final });
  const resets = limit === 'weekly' ? context.weeklyResetsAt : limit === 'session' ? context.sessionResetsAt : null;
  const long = limit === 'weekly' || limit === 'session' || (failure.retryAfterSeconds ?? 0) > longestRetryAfter;
  return say(
    'limit',
    429,
    'rate_limit_error',
    `Jumpseat: ${limitSentences[limit]}. ${whenAgain(failure.retryAfterSeconds, resets, context.now)}`,
    { ...waits(failure), shouldRetry: !long },
  );
}

function whenAgain(seconds: number | null, resetsAt: string | null, now: number): string {
  const reset = resetsAt === null ? Number.NaN : Date.parse(resetsAt);
  if (!Number.isNaN(reset)) return `It resets on ${weekdayAndTime(reset)}.`;
  if (seconds === null) return 'Try again in a minute.';
  if (seconds <= longestRetryAfter) return `Try again in ${wait(seconds)}.`;
  return `Try again in ${wait(seconds)}, on ${weekdayAndTime(now + seconds * 1000)}.`;
}

function outOfCredits(context: RecoverContext): string {
  const reset = context.quotaResetsAt === null ? Number.NaN : Date.parse(context.quotaResetsAt);
  const when = Number.isNaN(reset) ? '' : ` They reset on ${dayAndTime(reset)}.`;
  return `Jumpseat: you’re out of Copilot credits.${when} Set a budget at github.com/settings/billing to go on now.`;
}

function modelRefused(context: RecoverContext): string {
  const asked = context.askedModel ?? 'the model';
  const ran =
    context.servedModel !== null && context.servedModel !== asked ? ` (sent as "${context.servedModel}")` : '';
  const said = `Jumpseat: Copilot doesn’t serve "${asked}"${ran} to this account.`;
  const { absence, offered } = context;
  if (absence?.kind === 'auto-only') return `${said} ${absence.text} ${absence.mend ?? ''}`.trimEnd();
  const why = absence === null || absence.kind === 'policy' ? '' : ` ${absence.text}`;
  return `${said}${why} Turn it on at github.com/settings/copilot, or use one of: ${offered.join(', ')}.`;
}

function waits(failure: CopilotFailure): Partial<Told> {
  const seconds = failure.retryAfterSeconds;
  return seconds === null ? {} : { retryAfterSeconds: Math.ceil(seconds), shouldRetry: seconds <= longestRetryAfter };
}

/** An answer that began with 2xx and then failed: an error event, or an end that came too early. */
export function recoverBrokenAnswer(
  failure: AnswerFailure,
  cause: string | null,
  context: Pick<RecoverContext, 'redact' | 'isQuoted'>,
): ClientError {
  if (failure.kind === 'cut') return cutAnswer(cause);
  const code = plainCode(failure.type === null ? null : context.redact(failure.type), context.isQuoted);
  const words = context.redact(failure.message);
  const { quotes, ...told } = tellBroken(code, words);
  const facts = { source: 'copilot', status: 200, code: code ?? 'error-event' } as const;
  return {
    ...told,
    theirs: words,
    failure: { ...facts, message: failureWords(facts), told: quotes ? null : told.message },
    ...tooLong(told.kind, words),
  };
}

function tellBroken(code: string | null, message: string): Told {
  const sentence = tooLongSentence(message) ?? (isTooLong({ code, message }) ? tooLongWithoutNumbers : null);
  if (sentence !== null) return say('too-long', 400, 'invalid_request_error', sentence);
  const type = knownType(code);
  const what = code === null || code === 'error' ? 'an error' : code;
  return say('broken-answer', statusOf(type), type, `Copilot broke its answer off with ${what}: ${message}`, quoting);
}

function cutAnswer(cause: string | null): ClientError {
  const plain = cause === null || !/^[A-Z][A-Z0-9_]{1,60}$/.test(cause) ? null : cause;
  const { quotes: _own, ...told } = say(
    'broken-answer',
    502,
    'api_error',
    `Jumpseat: Copilot’s answer ended early${plain === null ? '' : ` (${plain})`}.`,
  );
  const facts = { source: cause === null ? 'copilot' : 'network', status: 200, code: 'cut' } as const;
  return { ...told, theirs: null, failure: { ...facts, message: failureWords(facts), told: told.message } };
}

/** What came could not be put together into one answer. */
export function answerWithoutForm(): ClientError {
  const message = 'Jumpseat: Copilot’s answer could not be put together. Try again.';
  const { quotes: _own, ...told } = say('broken-answer', 502, 'api_error', message);
  const facts = { source: 'copilot', status: 200, code: 'api_error' } as const;
  return { ...told, theirs: null, failure: { ...facts, message: failureWords(facts), told: message } };
}

/** A refusal of ours: Copilot was not asked. The message may quote the request, so it is told and not kept. */
export function refuse(
  status: number,
  type: AnthropicErrorType,
  code: string,
  message: string,
  shouldRetry = true,
): ClientError {
  const { quotes: _quotes, ...told } = say('not-sent', status, type, message, { shouldRetry });
  const facts = { source: 'jumpseat', status, code } as const;
  return { ...told, theirs: null, failure: { ...facts, message: failureWords(facts), told: null } };
}

/** The same, of which every word is ours: it is kept as well. */
export function refuseInOwnWords(...refused: Parameters<typeof refuse>): ClientError {
  const error = refuse(...refused);
  return { ...error, failure: { ...error.failure, told: error.message } };
}

/** The same, for what a fit or a translation refused. */
export function refuseFit({ status, type, code, message, shouldRetry }: Refusal): ClientError {
  return refuse(status, type, code, message, shouldRetry);
}

/** The name means no model that this account can use. Copilot was not asked. */
export function refuseModel(absence: Absence, offered: readonly string[]): ClientError {
  const { kind, text, mend } = absence;
  // Where nothing may be chosen the mend says what helps.
  const enabled = kind === 'auto-only' ? null : `Enabled: ${offered.length > 0 ? offered.join(', ') : 'none'}.`;
  const message = ['Jumpseat:', text, mend, enabled].filter((part) => part !== null).join(' ');
  const code = kind === 'not-in-catalog' ? 'model-missing' : kind === 'policy' ? 'model-disabled' : `model-${kind}`;
  return { ...refuse(404, 'not_found_error', code, message), kind: 'model' };
}

const statusByType: Partial<Record<AnthropicErrorType, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  not_supported: 501,
  overloaded_error: 529,
};

function statusOf(type: AnthropicErrorType): number {
  return statusByType[type] ?? 502;
}

/** Codes of errors in the streams of OpenAI's APIs. */
const typeByCode: Record<string, AnthropicErrorType> = {
  rate_limit_exceeded: 'rate_limit_error',
  server_is_overloaded: 'overloaded_error',
  model_overloaded: 'overloaded_error',
  invalid_prompt: 'invalid_request_error',
};

function knownType(type: string | null): AnthropicErrorType {
  const known = Object.keys(statusByType).find((name): name is AnthropicErrorType => name === type);
  return known ?? typeByCode[type ?? ''] ?? 'api_error';
}

function ended(sentence: string): string {
  return /[.!?…]$/.test(sentence) ? sentence : `${sentence}.`;
}

function unended(sentence: string): string {
  return sentence.replace(/[.\s]+$/, '');
}
