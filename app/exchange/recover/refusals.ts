import type { ErrorKind, LimitKind } from '../../api/exchange.ts';
import { type CopilotFailure, limitOf, whoSaidWhat } from '../../copilot/failures.ts';
import { dayAndTime, wait, weekdayAndTime } from '../../words/times.ts';
import {
  type ClientError,
  final,
  longestRetryAfter,
  quoting,
  type RecoverContext,
  say,
  type Told,
  waits,
} from './error.ts';

/** Copilot’s 400, by what it says. */
export function tellBadRequest(failure: CopilotFailure, context: RecoverContext): Told {
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

/**
 * `/responses` on reasoning that it can't read any more: it is bound to the account and the model, and to items that a
 * client may have lost.
 */
const refusedReasoning =
  /encrypted content.*could not be (?:verified|decrypted)|of type 'reasoning' was provided without its required/i;

function modelRefused(context: RecoverContext): string {
  const asked = context.askedModel ?? 'the model';
  const ran =
    context.servedModel !== null && context.servedModel !== asked ? ` (sent as "${context.servedModel}")` : '';
  const said = `Jumpseat: Copilot doesn’t serve "${asked}"${ran} to this account.`;
  const { absence, offered } = context;
  if (context.isAuto === true)
    return (
      `Jumpseat: Copilot no longer serves ${context.servedModel ?? 'the model'}, which GitHub chose for this conversation ` +
      '(Auto). Send the request again: GitHub chooses anew.'
    );
  if (absence?.kind === 'auto-only') return `${said} ${absence.text} ${absence.mend ?? ''}`.trimEnd();
  const why = absence === null || absence.kind === 'policy' ? '' : ` ${absence.text}`;
  return `${said}${why} Turn it on at github.com/settings/copilot, or use one of: ${offered.join(', ')}.`;
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

/** Copilot’s 429. */
export function tellRateLimit(failure: CopilotFailure, context: RecoverContext): Told {
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

export function outOfCredits(context: RecoverContext): string {
  const reset = context.quotaResetsAt === null ? Number.NaN : Date.parse(context.quotaResetsAt);
  const when = Number.isNaN(reset) ? '' : ` They reset on ${dayAndTime(reset)}.`;
  return `Jumpseat: you’re out of Copilot credits.${when} Set a budget at github.com/settings/billing to go on now.`;
}

/** Alone, word for word: makes Claude Code compact by itself. Null where the sentence is about something else. */
export function tooLongSentence(message: string): string | null {
  const numbers = tooLongNumbers(message);
  return numbers === null ? null : `prompt is too long: ${numbers.tokens} tokens > ${numbers.maximum} maximum`;
}

/** OpenAI's own words have no numbers; this, alone, makes Claude Code compact as well. */
export const tooLongWithoutNumbers = 'capability_rejected: prompt_too_long';

export function isTooLong({ code, message }: { code: string | null; message: string }): boolean {
  return code === 'context_length_exceeded' || /exceeds the context window/i.test(message);
}

/** Both numbers, where the refusal names them. */
export function tooLong(kind: ErrorKind, message: string): Pick<ClientError, 'tooLong'> {
  const numbers = kind === 'too-long' ? tooLongNumbers(message) : null;
  return numbers === null ? {} : { tooLong: { tokens: Number(numbers.tokens), most: Number(numbers.maximum) } };
}

/** Two numbers in any of the known wordings; null where the sentence is about something else. */
function tooLongNumbers(message: string): { tokens: string; maximum: string } | null {
  const match =
    /prompt token count of (\d+) exceeds the limit of (\d+)/.exec(message) ??
    /prompt is too long: (\d+) tokens > (\d+)/.exec(message);
  const [, tokens, maximum] = match ?? [];
  return tokens !== undefined && maximum !== undefined ? { tokens, maximum } : null;
}
