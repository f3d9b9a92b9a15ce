import { plainCode } from '../../copilot/failures.ts';
import type { AnswerFailure } from '../../formats/answer/answer.ts';
import type { AnthropicErrorType } from '../../formats/messages/error.ts';
import { t } from '../../language/translate.ts';
import { failureWords } from '../../words/failures.ts';
import { type ClientError, quoting, type RecoverContext, type Reported, say } from './error.ts';
import { isTooLong, tooLong, tooLongSentence, tooLongWithoutNumbers } from './refusals.ts';

/** An answer that began with 2xx and then failed: an error event, or an end that came too early. */
export function recoverBrokenAnswer(
  failure: AnswerFailure,
  cause: string | null,
  context: Pick<RecoverContext, 'redact' | 'isQuoted'>,
): ClientError {
  if (failure.kind === 'cut') return cutAnswer(cause);
  const code = plainCode(failure.type === null ? null : context.redact(failure.type), context.isQuoted);
  const words = context.redact(failure.message);
  const { quotes, ...reported } = tellBroken(code, words);
  const facts = { source: 'copilot', status: 200, code: code ?? 'error-event' } as const;
  return {
    ...reported,
    theirs: words,
    failure: { ...facts, message: failureWords(facts), clientMessage: quotes ? null : reported.message },
    ...tooLong(reported.kind, words),
  };
}

function tellBroken(code: string | null, message: string): Reported {
  const sentence = tooLongSentence(message) ?? (isTooLong({ code, message }) ? tooLongWithoutNumbers : null);
  if (sentence !== null) return say('too-long', 400, 'invalid_request_error', sentence);
  const type = knownType(code);
  const words =
    code === null || code === 'error'
      ? t('Copilot broke its answer off with an error: {message}', { message })
      : t('Copilot broke its answer off with {code}: {message}', { code, message });
  return say('broken-answer', statusOf(type), type, words, quoting);
}

function cutAnswer(cause: string | null): ClientError {
  const plain = cause === null || !/^[A-Z][A-Z0-9_]{1,60}$/.test(cause) ? null : cause;
  const { quotes: _own, ...reported } = say(
    'broken-answer',
    502,
    'api_error',
    plain === null
      ? t('Jumpseat: Copilot’s answer ended early.')
      : t('Jumpseat: Copilot’s answer ended early ({code}).', { code: plain }),
  );
  const facts = { source: cause === null ? 'copilot' : 'network', status: 200, code: 'cut' } as const;
  return {
    ...reported,
    theirs: null,
    failure: { ...facts, message: failureWords(facts), clientMessage: reported.message },
  };
}

/** What came could not be put together into one answer. */
export function answerWithoutForm(): ClientError {
  const message = t('Jumpseat: Copilot’s answer could not be put together. Try again.');
  const { quotes: _own, ...reported } = say('broken-answer', 502, 'api_error', message);
  const facts = { source: 'copilot', status: 200, code: 'api_error' } as const;
  return { ...reported, theirs: null, failure: { ...facts, message: failureWords(facts), clientMessage: message } };
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
