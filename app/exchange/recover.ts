import { withoutTokens } from '../account/without-tokens.ts';
import type { Failure } from '../api/exchange.ts';
import type { CopilotFailure } from '../copilot/failures.ts';
import type { AnswerFailure } from '../formats/answer/answer.ts';
import type { AnthropicErrorType } from '../formats/messages/error.ts';
import { anthropicErrorTypeFor } from '../formats/messages/error.ts';
import { dayAndTime, wait, weekdayAndTime } from '../words/times.ts';

/**
 * The one place where a failure is put into the words that the client understands.
 *
 * What Claude Code does with each answer was measured with 2.1.328: it retries 401 for minutes unless told not to, sends an unknown 400 six
 * times, compacts only on the exact sentence about a prompt that is too long, and shows 402 as it is. Every row below follows from that.
 */
export interface ClientError {
  status: number;
  type: AnthropicErrorType;
  message: string;
  /** Whole seconds for `retry-after`. */
  retryAfterSeconds: number | null;
  /** False sends `x-should-retry: false`: a repeat would end the same way. */
  shouldRetry: boolean;
  /** The field of the request that is meant, for clients whose errors name one. */
  param?: string;
  /** For the log: who failed and what was said. */
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
  /** Ids that this account can use. */
  offered: readonly string[];
}

const signIn = 'Click the tray icon and sign in, or run "jumpseat login".';
const offlineCodes = new Set(['ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH', 'EHOSTUNREACH', 'ENETDOWN', 'EADDRNOTAVAIL']);
/** From here on Claude Code gives up by itself; saying so saves it the attempt. */
const longestRetryAfter = 60;

/** A failure of the way to Copilot, or Copilot's own refusal, before any byte of an answer. */
export function recoverFailure(failure: CopilotFailure, context: RecoverContext): ClientError {
  const told = tell(failure, context);
  return {
    ...told,
    failure: {
      source: failure.source,
      status: failure.status,
      code: failure.code ?? (failure.source === 'network' ? 'network' : `http-${failure.status ?? 'none'}`),
      message: failure.message,
      told: told.message === failure.message ? null : told.message,
    },
  };
}

type Told = Omit<ClientError, 'failure'>;

function say(status: number, type: AnthropicErrorType, message: string, more: Partial<Told> = {}): Told {
  return { status, type, message, retryAfterSeconds: null, shouldRetry: true, ...more };
}
const final = { shouldRetry: false } as const;

function tell(failure: CopilotFailure, context: RecoverContext): Told {
  if (failure.signedOut) return say(401, 'authentication_error', `Jumpseat: not signed in to GitHub. ${signIn}`, final);
  if (failure.notice !== null) {
    const { title, message, url } = failure.notice;
    return say(
      403,
      'permission_error',
      `Jumpseat: ${[ended(title), ended(message), url].filter(Boolean).join(' ')}`,
      final,
    );
  }
  if (failure.source === 'network') {
    const offline = offlineCodes.has(failure.code ?? '');
    return say(
      502,
      'api_error',
      `Jumpseat: no connection to ${failure.host ?? 'Copilot'} (${unended(failure.message)}). Check the network, then try again.`,
      {
        shouldRetry: !offline,
      },
    );
  }
  return tellStatus(failure.status ?? 502, failure, context);
}

function tellStatus(status: number, failure: CopilotFailure, context: RecoverContext): Told {
  switch (status) {
    case 400:
      return tellBadRequest(failure, context);
    case 401:
      if (failure.authorizeUrl !== null) {
        return say(
          401,
          'authentication_error',
          `Jumpseat: your organization wants this sign-in to be authorized. Open ${failure.authorizeUrl}, then try again.`,
          final,
        );
      }
      return say(401, 'authentication_error', `Jumpseat: GitHub no longer accepts your sign-in. ${signIn}`, final);
    case 402:
      return say(402, 'billing_error', outOfCredits(context), final);
    case 403:
      return say(
        403,
        'permission_error',
        `Jumpseat: Copilot refused this for your account: ${ended(failure.message)}`,
        final,
      );
    case 404:
      return say(404, 'not_found_error', failure.message);
    case 408:
      return say(
        408,
        'api_error',
        'Jumpseat: Copilot waited too long for the request, twice. It is probably too big: run /compact, then try again.',
        final,
      );
    case 413:
      return say(
        413,
        'request_too_large',
        `Jumpseat: Copilot says the request is too large (${unended(failure.message)}). Leave out images or run /compact.`,
      );
    case 421:
      return say(
        502,
        'api_error',
        'Jumpseat: Copilot moved your account to another host, and the new one refuses it too. Run "jumpseat doctor".',
        final,
      );
    case 424:
      return say(502, 'api_error', `Jumpseat: something behind Copilot failed: ${ended(failure.message)}`);
    case 429:
      return tellRateLimit(failure, context);
    case 466:
      return say(502, 'api_error', 'Jumpseat: Copilot asks for a newer client. Update Jumpseat.', final);
    case 503:
      return say(
        529,
        'overloaded_error',
        `Jumpseat: Copilot is overloaded right now: ${ended(failure.message)}`,
        waits(failure),
      );
    default:
      if (status < 400)
        return say(502, 'api_error', `Jumpseat: Copilot answered ${status}, which is no answer to this request.`);
      return say(status, anthropicErrorTypeFor(status), failure.message, waits(failure));
  }
}

function tellBadRequest(failure: CopilotFailure, context: RecoverContext): Told {
  const tooLong = tooLongNumbers(failure.message);
  // Word for word, alone: this sentence makes Claude Code compact by itself.
  if (tooLong !== null)
    return say(
      400,
      'invalid_request_error',
      `prompt is too long: ${tooLong.tokens} tokens > ${tooLong.maximum} maximum`,
    );
  if (/Editor-Version/i.test(failure.message))
    return say(
      502,
      'api_error',
      'Jumpseat: Copilot refuses the client identity that was sent. Update Jumpseat.',
      final,
    );
  if (failure.code === 'model_not_supported' || /requested model is not supported/i.test(failure.message)) {
    return say(404, 'not_found_error', modelRefused(context));
  }
  if (isTooLong(failure)) return say(400, 'invalid_request_error', tooLongWithoutNumbers);
  // Again word for word and alone: Claude Code takes its thinking blocks out of the session and goes on.
  if (refusedReasoning.test(failure.message))
    return say(400, 'invalid_request_error', 'capability_rejected: thinking_signature');
  return say(400, 'invalid_request_error', failure.message);
}

/** OpenAI's own words have no numbers; this, alone, makes Claude Code compact as well. */
const tooLongWithoutNumbers = 'capability_rejected: prompt_too_long';

function isTooLong({ code, message }: { code: string | null; message: string }): boolean {
  return code === 'context_length_exceeded' || /exceeds the context window/i.test(message);
}

/** `/responses` on reasoning that it can't read any more: it is bound to the account and the model, and to items that a client may have lost. */
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

const limitSentences: Record<string, string> = {
  user_model_rate_limited: 'Copilot limits how often you may use this model',
  user_global_rate_limited: 'you’ve reached Copilot’s limit for your account',
  user_weekly_rate_limited: 'you’ve reached Copilot’s weekly limit',
  integration_rate_limited: 'Copilot limits how often this kind of client may ask',
  agent_mode_limit_exceeded: 'you’ve reached Copilot’s limit for agents',
  upstream_provider_rate_limit: 'the provider behind Copilot is at its limit',
  extension_blocked: 'Copilot has blocked this client for now',
};

function tellRateLimit(failure: CopilotFailure, context: RecoverContext): Told {
  if (failure.code === 'model_overloaded')
    return say(529, 'overloaded_error', 'Jumpseat: this model is overloaded at Copilot right now.', waits(failure));
  const exceeded = failure.limitExceeded ?? '';
  if (exceeded === 'quota_exceeded')
    return say(429, 'billing_error', outOfCredits(context), { ...waits(failure), ...final });

  const weekly = failure.code === 'user_weekly_rate_limited' || exceeded.includes('weekly');
  const session = exceeded.includes('global-usage-5-hour-key');
  const what = weekly
    ? 'you’ve reached Copilot’s weekly limit'
    : session
      ? 'you’ve reached Copilot’s 5-hour limit'
      : (limitSentences[failure.code ?? ''] ?? 'Copilot asks to slow down');
  const resets = weekly ? context.weeklyResetsAt : session ? context.sessionResetsAt : null;
  const long = weekly || session || (failure.retryAfterSeconds ?? 0) > longestRetryAfter;
  return say(
    429,
    'rate_limit_error',
    `Jumpseat: ${what}. ${whenAgain(failure.retryAfterSeconds, resets, context.now)}`,
    {
      ...waits(failure),
      shouldRetry: !long,
    },
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
  return `Jumpseat: Copilot doesn’t serve "${asked}"${ran} to this account. Turn it on at github.com/settings/copilot, or use one of: ${context.offered.join(', ')}.`;
}

function waits(failure: CopilotFailure): Partial<Told> {
  const seconds = failure.retryAfterSeconds;
  return seconds === null ? {} : { retryAfterSeconds: Math.ceil(seconds), shouldRetry: seconds <= longestRetryAfter };
}

/** An answer that began with 2xx and then failed: an error event, or an end that came too early. */
export function recoverBrokenAnswer(failure: AnswerFailure, cause: string | null): ClientError {
  if (failure.kind === 'cut') {
    const message = `Jumpseat: Copilot’s answer ended early${cause === null ? '' : ` (${cause})`}.`;
    return {
      ...say(502, 'api_error', message),
      failure: {
        source: cause === null ? 'copilot' : 'network',
        status: 200,
        code: 'cut',
        message: failure.message,
        told: message,
      },
    };
  }
  const type = knownType(failure.type);
  const message = withoutTokens(failure.message);
  const tooLong = isTooLong({ code: failure.type, message });
  const told = tooLong ? say(400, 'invalid_request_error', tooLongWithoutNumbers) : say(statusOf(type), type, message);
  return {
    ...told,
    failure: {
      source: 'copilot',
      status: 200,
      code: failure.type ?? 'error-event',
      message,
      told: tooLong ? told.message : null,
    },
  };
}

/** A refusal of ours: Copilot was not asked. */
export function refuse(
  status: number,
  type: AnthropicErrorType,
  code: string,
  message: string,
  shouldRetry = true,
): ClientError {
  return {
    ...say(status, type, message, { shouldRetry }),
    failure: { source: 'jumpseat', status, code, message, told: null },
  };
}

/** The name means no model that this account can use. Copilot was not asked. */
export function refuseModel(asked: string, disabled: string | null, offered: readonly string[]): ClientError {
  const enabled = offered.length > 0 ? offered.join(', ') : 'none';
  const message =
    disabled === null
      ? `Jumpseat: Copilot has no model "${asked}" for this account. Enabled: ${enabled}.`
      : `Jumpseat: ${disabled} is off for this account. Turn it on at github.com/settings/copilot. Enabled: ${enabled}.`;
  return refuse(404, 'not_found_error', disabled === null ? 'model-missing' : 'model-disabled', message);
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
