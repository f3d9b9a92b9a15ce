import type { ErrorKind } from '../app/api/exchange.ts';
import { readFailure } from '../app/copilot/failures.ts';
import { refuseField } from '../app/exchange/clients/openai-fields.ts';
import { type ClientError, longestRetryAfter, type RecoverContext, refuse } from '../app/exchange/recover/error.ts';
import { recoverFailure } from '../app/exchange/recover/recover.ts';
import { tooLongWithoutNumbers } from '../app/exchange/recover/refusals.ts';
import { oneLine } from '../app/words/text.ts';

/** What the words for a failure may refer to. */
export interface FailureContext {
  model: string;
  /** Ids that may be used. */
  offered: readonly string[];
  /** Places of the images in the client's request: `messages[2].content[1]`. */
  images: readonly string[];
  /** The window of VS Code that serves, as a person knows it. */
  window: string;
}

/** VS Code blocks an extension by itself for some minutes, whatever it asks. */
const blockedMinutes = 5;

/**
 * What VS Code threw, in the words of a client. Decided by `name` and `code`: errors of Copilot's extension cross a
 * process and lose their class. Cases as seen with Copilot Chat 0.67.0.
 */
export function lmFailure(thrown: unknown, context: FailureContext): ClientError {
  const { name, code, message } = readError(thrown);
  if (code === 'NoPermissions') return consentRequired('refused', context.window);
  // The list is older than the refusal.
  if (code === 'NotFound')
    return modelGone({ ...context, offered: context.offered.filter((id) => id !== context.model) });
  if (code === 'Blocked' || name === 'Blocked') return blocked();
  if (name === 'ChatRateLimited') return rateLimited(message);
  if (name === 'ChatQuotaExceeded')
    return reported('no-credits', 402, 'billing_error', 'quota-exceeded', `Jumpseat: ${message}`, false);
  const answered = /^Request Failed: (\d{3})\s*([\s\S]*)$/.exec(message);
  if (answered?.[1] !== undefined)
    return recoverFailure(readFailure(Number(answered[1]), {}, answered[2] ?? ''), recoverContext(context));
  if (/Message exceeds token limit/i.test(message)) return tooLong(null, null);
  if (name === 'Canceled' || /network request aborted/i.test(message))
    return reported(
      'broken-answer',
      502,
      'api_error',
      'cancelled',
      'Jumpseat: VS Code cancelled the request. Try again.',
    );
  if (message === '' && context.images.length > 0) return undecodable(context.images);
  if (/no choices/i.test(message))
    return reported(
      'broken-answer',
      502,
      'api_error',
      'no-choices',
      'Jumpseat: Copilot broke its answer off with an error that VS Code doesn’t pass on. Try again.',
    );
  if (/terminated|other side closed|firewall/i.test(message))
    return reported('broken-answer', 502, 'api_error', 'cut', 'Jumpseat: Copilot’s answer ended early. Try again.');
  const words = message === '' ? ' without a word. Its log says more.' : `: ${message}`;
  return reported('refused', 502, 'api_error', 'vscode-error', `Jumpseat: VS Code’s request to Copilot failed${words}`);
}

/**
 * What VS Code said, for the output channel: its names and codes, and its sentence where that is always the same. Any
 * other sentence may quote the request and is left out.
 */
export function wordsForLog(thrown: unknown): string {
  const { name, code, message } = readError(thrown);
  const [status] = /^Request Failed: \d{3}/.exec(message) ?? [];
  const isKnown = knownNames.has(name) || knownSentence.test(message);
  const named = [name === 'Error' ? '' : name, code].filter((word) => /^\w{1,40}$/.test(word));
  return [named.join(' '), status ?? (isKnown ? oneLine(message) : '')].filter((word) => word !== '').join(': ');
}

const knownNames: ReadonlySet<string> = new Set(['ChatRateLimited', 'ChatQuotaExceeded', 'Canceled']);
const knownSentence =
  /^(?:Message exceeds token limit|Response contained no choices|Please check your firewall rules|network request aborted)/i;

/** The person has not allowed it. Not repeated by the client: each repetition would bring the dialog back. */
export function consentRequired(because: 'refused' | 'waiting', window: string): ClientError {
  const remedy =
    because === 'refused'
      ? `you haven’t allowed it to use Copilot in VS Code. Run the command “Jumpseat: Enable” in ${window} and press ` +
        'Allow, then try again.'
      : `VS Code asks whether it may use Copilot. Press Allow in ${window}, then try again.`;
  return reported('no-access', 403, 'permission_error', 'consent-required', `Jumpseat: ${remedy}`, false);
}

/** VS Code has no model of Copilot's. */
export function copilotUnavailable(window: string): ClientError {
  const message =
    `Jumpseat: VS Code offers no Copilot model. Sign in to GitHub Copilot in ${window} (Chat in its status bar), ` +
    'then try again.';
  return reported('no-access', 503, 'api_error', 'copilot-unavailable', message, false);
}

/** The name means no model, or it was taken away. */
export function modelGone({ model, offered }: Pick<FailureContext, 'model' | 'offered'>): ClientError {
  const list = offered.length > 0 ? offered.join(', ') : 'none';
  const message = `Jumpseat: VS Code offers no Copilot model “${model}”. Offered: ${list}.`;
  return reported('model', 404, 'not_found_error', 'model-missing', message, false);
}

/**
 * In the very words by which Claude Code compacts. VS Code would drop the oldest messages without a word, the system
 * prompt first.
 */
export function tooLong(tokens: number | null, most: number | null): ClientError {
  const sentence =
    tokens === null || most === null ? tooLongWithoutNumbers : `prompt is too long: ${tokens} tokens > ${most} maximum`;
  // OpenAI's clients get the numbers after their own sentence, and the app reads them there.
  return {
    ...reported('too-long', 400, 'invalid_request_error', 'too-long', sentence),
    theirs: tokens === null || most === null ? null : sentence,
  };
}

/** VS Code rejects an image without saying which one. */
function undecodable(places: readonly string[]): ClientError {
  const [first = 'messages'] = places;
  const which = places.length === 1 ? 'this image' : `one of the ${places.length} images from here on`;
  return refuseField(first, `VS Code can’t decode ${which}. Leave it out, or send it as PNG or JPEG.`).error;
}

/** Copilot's retry time gets lost on the way through VS Code; its sentence may still name it. */
function rateLimited(message: string): ClientError {
  const error = reported('limit', 429, 'rate_limit_error', 'rate-limited', `Jumpseat: Copilot’s limit. ${message}`);
  const seconds = secondsIn(message);
  if (seconds === null) return error;
  return {
    ...error,
    retryAfterSeconds: Math.min(seconds, longestRetryAfter),
    shouldRetry: seconds <= longestRetryAfter,
  };
}

const secondsPerUnit: Readonly<Record<string, number>> = { second: 1, minute: 60, hour: 3600 };

/** "wait 3 seconds for your limit to reset", "try again in 40 seconds": sentences of Copilot Chat 0.67.0. */
function secondsIn(message: string): number | null {
  const [, count, unit] = /\b(?:wait|in)\s+(\d{1,5})\s+(second|minute|hour)s?\b/i.exec(message) ?? [];
  if (count === undefined || unit === undefined) return null;
  return Number(count) * (secondsPerUnit[unit.toLowerCase()] ?? 1);
}

function blocked(): ClientError {
  const message =
    `Jumpseat: VS Code has blocked the requests of this extension for some minutes, after a limit of Copilot’s. ` +
    `Try again in ${blockedMinutes} minutes.`;
  return {
    ...reported('limit', 429, 'rate_limit_error', 'blocked', message, false),
    retryAfterSeconds: blockedMinutes * 60,
  };
}

function reported(
  kind: ErrorKind,
  status: number,
  type: ClientError['type'],
  code: string,
  message: string,
  shouldRetry = true,
): ClientError {
  return { ...refuse(status, type, code, message, shouldRetry), kind };
}

function recoverContext({ model, offered }: FailureContext): RecoverContext {
  return {
    now: Date.now(),
    quotaResetsAt: null,
    weeklyResetsAt: null,
    sessionResetsAt: null,
    askedModel: model,
    servedModel: model,
    absence: null,
    offered,
    redact: (text) => text,
  };
}

const longestMessage = 2000;

function readError(thrown: unknown): { name: string; code: string; message: string } {
  if (typeof thrown !== 'object' || thrown === null) return { name: '', code: '', message: '' };
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  return {
    name: 'name' in thrown ? text(thrown.name) : '',
    code: 'code' in thrown ? text(thrown.code) : '',
    message: 'message' in thrown ? text(thrown.message).slice(0, longestMessage) : '',
  };
}
