import type { ErrorKind, LimitKind } from '../../api/exchange.ts';
import { type CopilotFailure, limitOf, whoSaidWhat } from '../../copilot/failures.ts';
import { anthropicErrorTypeFor } from '../../formats/messages/error.ts';
import { type Message, msg } from '../../language/messages.ts';
import { sentences } from '../../language/sentences.ts';
import { t, translated } from '../../language/translate.ts';
import { budgetRemedy } from '../../words/account.ts';
import { grouped } from '../../words/numbers.ts';
import { dayAndTime, timeOrDay, wait } from '../../words/times.ts';
import {
  type ClientError,
  ended,
  final,
  longestRetryAfter,
  quoting,
  type RecoverContext,
  type Reported,
  say,
  waits,
} from './error.ts';

/**
 * What a client is told of each refusal, with which status and kind: those of VS Code, of GitHub, and of Copilot by
 * status, limit and code. recover.ts chooses among them.
 */

/** Kinds by the codes of the extension's errors; the messages are its own, and partly Copilot's. */
const kindByVscodeCode: Readonly<Record<string, ErrorKind>> = {
  no_window: 'no-access',
  no_answer: 'no-answer',
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
export function tellVscode(failure: CopilotFailure): Reported {
  const { code, message } = failure;
  const status = failure.status ?? 503;
  const kind = kindByVscodeCode[code ?? ''] ?? 'refused';
  const isFinal = kind === 'no-access' || kind === 'no-answer' || kind === 'model' || kind === 'no-credits';
  const type = status === 503 ? 'api_error' : anthropicErrorTypeFor(status);
  if (kind === 'too-long') return say(kind, status, type, tooLongSentence(message) ?? tooLongWithoutNumbers);
  return say(kind, status, type, message, { ...waits(failure), ...(isFinal && final), ...quoting });
}

/**
 * The sign-in is fine, and Jumpseat goes on by itself. Not repeated by the client: Claude Code would try for minutes
 * and then call it an overload.
 */
export function tellTokensRefused({ retryAfterSeconds }: CopilotFailure): Reported {
  const seconds = retryAfterSeconds ?? 0;
  return say(
    'tokens-refused',
    503,
    'api_error',
    sentences(
      t('Jumpseat: Copilot refuses the tokens that GitHub currently issues. You stay signed in.'),
      seconds > 0 ? t('Try again in {wait}.', { wait: wait(seconds) }) : t('Try again in a minute.'),
    ),
    { retryAfterSeconds: seconds > 0 ? seconds : null, ...final },
  );
}

/** There was no token to send; GitHub's words are about the account and never about a request. */
export function tellGithub(failure: CopilotFailure): Reported {
  const status = failure.status ?? 502;
  const message = `Jumpseat: ${failure.message}`;
  if (status === 429) return say('limit', 429, 'rate_limit_error', message, { ...waits(failure), ...quoting });
  if (status === 403 || status === 404)
    return say('no-access', 403, 'permission_error', message, { ...final, ...quoting });
  return say('refused', 502, 'api_error', message, quoting);
}

export function tellStatus(status: number, failure: CopilotFailure, context: RecoverContext): Reported {
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
          t('Jumpseat: your organization requires this sign-in to be authorized. Open {url}, then try again.', {
            url: failure.authorizeUrl,
          }),
          { ...final, ...quoting },
        );
      }
      return tellTokensRefused(failure);
    case 402:
      return say('no-credits', 402, 'billing_error', outOfCredits(context), final);
    case 403:
      return say(
        'refused',
        403,
        'permission_error',
        sentences(
          t('Jumpseat: refused for your account.'),
          ended(said),
          t('Check at github.com/settings/copilot that Copilot and this model are on.'),
          t('Your organization may have turned them off.'),
        ),
        { ...final, ...quoting },
      );
    case 404:
      return say('refused', 404, 'not_found_error', said, quoting);
    case 408:
      return say(
        'too-slow',
        408,
        'api_error',
        t(
          'Jumpseat: Copilot waited too long for the request, twice. It is probably too big: run /compact, then try again.',
        ),
        final,
      );
    case 413:
      return say(
        'too-large',
        413,
        'request_too_large',
        sentences(t('Jumpseat: the request is too large.'), ended(said), t('Leave out images or run /compact.')),
        quoting,
      );
    case 421:
      return say(
        'refused',
        502,
        'api_error',
        t(
          'Jumpseat: Copilot moved your account to another host, and the new one refuses it too. Run "jumpseat doctor".',
        ),
        final,
      );
    case 424:
      return say(
        'refused',
        502,
        'api_error',
        sentences(t('Jumpseat: something behind Copilot failed.'), ended(said)),
        quoting,
      );
    case 429:
      return tellRateLimit(failure, context);
    case 466:
      return say('identity', 502, 'api_error', t('Jumpseat: Copilot asks for a newer client. Update Jumpseat.'), final);
    case 503:
      return say('overloaded', 529, 'overloaded_error', sentences(t('Jumpseat: overloaded right now.'), ended(said)), {
        ...waits(failure),
        ...quoting,
      });
    default:
      if (status < 400)
        return say(
          'refused',
          502,
          'api_error',
          t('Jumpseat: Copilot answered {status}, which is no answer to this request.', { status }),
        );
      return say('refused', status, anthropicErrorTypeFor(status), said, { ...waits(failure), ...quoting });
  }
}

/** Copilot’s 400, by what it says. */
function tellBadRequest(failure: CopilotFailure, context: RecoverContext): Reported {
  const bad = (kind: ErrorKind, message: string, more: Partial<Reported> = {}): Reported =>
    say(kind, 400, 'invalid_request_error', message, more);
  const sentence = tooLongSentence(failure.message);
  if (sentence !== null) return bad('too-long', sentence);
  if (/Editor-Version/i.test(failure.message))
    return say(
      'identity',
      502,
      'api_error',
      t('Jumpseat: Copilot refuses the client identity that was sent. Update Jumpseat.'),
      final,
    );
  if (failure.code === 'model_not_supported' || /requested model is not supported/i.test(failure.message))
    return say('model', 404, 'not_found_error', modelRefused(context), quoting);
  if (isTooLong(failure)) return bad('too-long', tooLongWithoutNumbers);
  if (refusedReasoning.test(failure.message)) return bad('lost-reasoning', lostReasoning);
  if (/\bPDF pages\b/i.test(failure.message)) {
    const pages = context.pdfPages?.() ?? 0;
    const count = pages === 0 ? '' : t('The PDFs in this request have {pages} pages.', { pages: grouped(pages) });
    return bad('refused', sentences(whoSaidWhat(failure), count), { ...final, ...quoting });
  }
  const alone = forClaudeCode(failure.message);
  return bad('refused', alone ?? whoSaidWhat(failure), quoting);
}

/** Again word for word and alone: Claude Code takes its thinking blocks out of the session and goes on. */
const lostReasoning = 'capability_rejected: thinking_signature';

/**
 * Sentences of Anthropic's by which Claude Code fixes its request itself (measured with 2.1.328): it lowers max_tokens,
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
  const { servedModel: ran } = context;
  const said =
    ran !== null && ran !== asked
      ? t('Jumpseat: Copilot doesn’t serve "{asked}" (sent as "{ran}") to this account.', { asked, ran })
      : t('Jumpseat: Copilot doesn’t serve "{asked}" to this account.', { asked });
  const { absence, offered } = context;
  if (context.isAuto === true)
    return t(
      'Jumpseat: Copilot no longer serves {model}, which GitHub chose for this conversation (Auto). Send the request again: GitHub chooses anew.',
      { model: ran ?? 'the model' },
    );
  if (absence?.kind === 'auto-only') return `${said} ${absence.text} ${absence.remedy ?? ''}`.trimEnd();
  return sentences(
    said,
    absence === null || absence.kind === 'policy' ? '' : absence.text,
    t('Turn it on at github.com/settings/copilot, or use one of: {models}.', { models: offered.join(', ') }),
  );
}

const limitSentences: Record<Exclude<LimitKind, 'overloaded' | 'credits'>, Message> = {
  weekly: msg('Jumpseat: you’ve reached Copilot’s weekly limit.'),
  session: msg('Jumpseat: you’ve reached Copilot’s 5-hour limit.'),
  account: msg('Jumpseat: you’ve reached Copilot’s limit for your account.'),
  model: msg('Jumpseat: Copilot limits how often you may use this model.'),
  client: msg('Jumpseat: Copilot limits how often this kind of client may ask.'),
  agents: msg('Jumpseat: you’ve reached Copilot’s limit for agents.'),
  provider: msg('Jumpseat: the provider behind Copilot is at its limit.'),
  blocked: msg('Jumpseat: Copilot has blocked this client for now.'),
  unnamed: msg('Jumpseat: Copilot asks to slow down.'),
};

/** Copilot’s 429. */
function tellRateLimit(failure: CopilotFailure, context: RecoverContext): Reported {
  const limit = limitOf(failure);
  if (limit === 'overloaded')
    return say(
      'overloaded',
      529,
      'overloaded_error',
      t('Jumpseat: this model is overloaded at Copilot right now.'),
      waits(failure),
    );
  if (limit === 'credits')
    return say('no-credits', 429, 'billing_error', outOfCredits(context), { ...waits(failure), ...final });
  const long = limit === 'weekly' || limit === 'session' || (failure.retryAfterSeconds ?? 0) > longestRetryAfter;
  return say(
    'limit',
    429,
    'rate_limit_error',
    sentences(
      translated(limitSentences[limit]),
      whenAgain(failure.retryAfterSeconds, resetOf(limit, context), context.now),
    ),
    { ...waits(failure), shouldRetry: !long },
  );
}

/** When a limit of the account ends, ms, as Copilot said with earlier answers; null if it did not. */
export function resetOf(limit: LimitKind, context: RecoverContext): number | null {
  const { weeklyResetsAt: weekly, sessionResetsAt: session, quotaResetsAt: credits } = context;
  const at = Date.parse({ weekly, session, credits }[limit as string] ?? '');
  return Number.isNaN(at) ? null : at;
}

function whenAgain(seconds: number | null, reset: number | null, now: number): string {
  if (reset !== null) return t('It resets {when}.', { when: timeOrDay(reset, now) });
  if (seconds === null) return t('Try again in a minute.');
  if (seconds <= longestRetryAfter) return t('Try again in {wait}.', { wait: wait(seconds) });
  return t('Try again in {wait}, {when}.', { wait: wait(seconds), when: timeOrDay(now + seconds * 1000, now) });
}

function outOfCredits(context: RecoverContext): string {
  const reset = resetOf('credits', context);
  const when = reset === null ? '' : t('They reset on {time}.', { time: dayAndTime(reset) });
  return sentences(t('Jumpseat: you’re out of Copilot credits.'), when, budgetRemedy);
}

/** Alone, word for word: makes Claude Code compact by itself. Null if the sentence is about something else. */
export function tooLongSentence(message: string): string | null {
  const numbers = tooLongNumbers(message);
  return numbers === null ? null : `prompt is too long: ${numbers.tokens} tokens > ${numbers.maximum} maximum`;
}

/** OpenAI's own words have no numbers; this, alone, makes Claude Code compact as well. */
export const tooLongWithoutNumbers = 'capability_rejected: prompt_too_long';

export function isTooLong({ code, message }: { code: string | null; message: string }): boolean {
  return code === 'context_length_exceeded' || /exceeds the context window/i.test(message);
}

/** Prompt size and limit, if the refusal names both. */
export function tooLong(kind: ErrorKind, message: string): Pick<ClientError, 'tooLong'> {
  const numbers = kind === 'too-long' ? tooLongNumbers(message) : null;
  return numbers === null ? {} : { tooLong: { tokens: Number(numbers.tokens), most: Number(numbers.maximum) } };
}

/** Two numbers in any of the known wordings; null if the sentence is about something else. */
function tooLongNumbers(message: string): { tokens: string; maximum: string } | null {
  const match =
    /prompt token count of (\d+) exceeds the limit of (\d+)/.exec(message) ??
    /prompt is too long: (\d+) tokens > (\d+)/.exec(message);
  const [, tokens, maximum] = match ?? [];
  return tokens !== undefined && maximum !== undefined ? { tokens, maximum } : null;
}
