import type { ErrorKind, Failure, LimitKind } from '../../api/exchange.ts';
import type { Absence } from '../../api/models.ts';
import type { CopilotFailure } from '../../copilot/failures.ts';
import { headTimeoutMs } from '../../copilot/outgoing.ts';
import type { AnthropicErrorType } from '../../formats/messages/error.ts';
import { t } from '../../language/translate.ts';
import type { Redact } from '../../ports.ts';
import type { PolicyError } from '../../settings/policy.ts';
import { failureWords } from '../../words/failures.ts';
import type { Refusal } from '../fits/fit.ts';

/**
 * A failure in the words that the client understands. This folder is the one place where it is put into them.
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
   * What Copilot or a gateway said, for the client that asked alone: it may quote the request. Null if neither did.
   */
  theirs: string | null;
  /** Whole seconds for `retry-after`. */
  retryAfterSeconds: number | null;
  /** False sends `x-should-retry: false`: a repeat would end the same way. */
  shouldRetry: boolean;
  /** The field of the request that is meant, for clients whose errors name one. */
  param?: string;
  /** Whose limit was reached. */
  limit?: LimitKind;
  /** When it ends, ms. */
  limitEndsAt?: number;
  /** Prompt size and the model's limit, if the refusal names them. */
  tooLong?: Failure['tooLong'] & object;
  /** For the log: who failed and how. Holds no word of Copilot's, nor of the request. */
  failure: Failure;
}

/** What a row of the log has of it beside its facts, for code to decide by. */
export function kindOf(error: ClientError): Pick<Failure, 'kind' | 'limit' | 'limitEndsAt' | 'tooLong'> {
  const { kind, limit, limitEndsAt, tooLong } = error;
  return {
    kind,
    ...(limit === undefined ? {} : { limit }),
    ...(limitEndsAt === undefined ? {} : { limitEndsAt }),
    ...(tooLong === undefined ? {} : { tooLong }),
  };
}

/** A failure in the words of a client API: status and envelope. */
export interface ReportedError<Envelope> {
  status: number;
  body: Envelope;
  /** The message as it may be kept; null if it holds words of others, or says what the failure says. */
  kept: string | null;
}

/** How an API reports failures, and the header that names a request. */
export interface ErrorWords<Envelope> {
  readonly requestIdHeader: 'request-id' | 'x-request-id';
  tell(error: ClientError, requestId: string): ReportedError<Envelope>;
}

/** A step that cannot go on: thrown by any step of an exchange, answered at one place. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
  readonly error: ClientError;
  constructor(error: ClientError) {
    super(error.message);
    this.error = error;
  }
}

/** A refusal of ours: Copilot was not asked. The message may quote the request, so it is told and not kept. */
export function refuse(
  status: number,
  type: AnthropicErrorType,
  code: string,
  message: string,
  shouldRetry = true,
): ClientError {
  const { quotes: _quotes, ...reported } = say('not-sent', status, type, message, { shouldRetry });
  const facts = { source: 'jumpseat', status, code } as const;
  return { ...reported, theirs: null, failure: { ...facts, message: failureWords(facts), clientMessage: null } };
}

/** The same, of which every word is ours: it is kept as well. */
export function refuseInOwnWords(...refused: Parameters<typeof refuse>): ClientError {
  const error = refuse(...refused);
  return { ...error, failure: { ...error.failure, clientMessage: error.message } };
}

/** The organization's policy can't be used, so that nothing is asked of Copilot. */
export function refusePolicy({ message, remedy }: PolicyError): ClientError {
  return refuseInOwnWords(503, 'api_error', 'policy-broken', `Jumpseat: ${message} ${remedy}`, false);
}

/** The same, for what a fit or a translation refused. */
export function refuseFit({ status, type, code, message, shouldRetry }: Refusal): ClientError {
  return refuse(status, type, code, message, shouldRetry);
}

/** The client repeats by itself what Copilot left unanswered. Copilot was not asked again. */
export function refuseRepeat(): ClientError {
  const { quotes: _quotes, ...reported } = say(...noAnswer());
  const facts = { source: 'jumpseat', status: reported.status, code: 'no-answer' } as const;
  return {
    ...reported,
    theirs: null,
    failure: { ...facts, message: failureWords(facts), clientMessage: reported.message },
  };
}

const ofCatalog: ReadonlySet<Absence['kind']> = new Set(['type', 'endpoint', 'policy']);

/**
 * The name means no model that this account can use. Copilot was not asked.
 * @param byRule a person's rule names it, and not the request
 */
export function refuseModel(absence: Absence, offered: readonly string[], byRule = false): ClientError {
  const { kind, text, remedy } = absence;
  // Where nothing may be chosen the remedy says what helps.
  const enabled = kind === 'auto-only' ? null : `Enabled: ${offered.length > 0 ? offered.join(', ') : 'none'}.`;
  const message = ['Jumpseat:', text, remedy, enabled].filter((part) => part !== null).join(' ');
  const missing = byRule ? 'rule-model' : 'model-missing';
  const notAllowed = byRule ? 'rule-model-not-allowed' : 'model-not-allowed';
  const named = kind === 'not-in-catalog' ? missing : kind === 'not-allowed' ? notAllowed : `model-${kind}`;
  const code = kind === 'policy' ? 'model-disabled' : named;
  // These name a model of the catalog, and not what the client asked for.
  const refused = ofCatalog.has(kind) ? refuseInOwnWords : refuse;
  return { ...refused(404, 'not_found_error', code, message), kind: 'model' };
}

/** With a longer wait Claude Code gives up by itself; saying so saves it the attempt. */
export const longestRetryAfter = 60;

/** What a client is told about a failure. */
export type Reported = Pick<
  ClientError,
  'kind' | 'status' | 'type' | 'message' | 'retryAfterSeconds' | 'shouldRetry'
> & {
  /** True if the message quotes others, or the request: it is sent but not stored. */
  quotes: boolean;
};

/** Reports a failure in our own words, which may be stored. */
export function say(
  kind: ErrorKind,
  status: number,
  type: AnthropicErrorType,
  message: string,
  more: Partial<Reported> = {},
): Reported {
  return { kind, status, type, message, retryAfterSeconds: null, shouldRetry: true, quotes: false, ...more };
}

/** The client asks no second time by itself. */
export const final = { shouldRetry: false } as const;
export const quoting = { quotes: true } as const;

/** A repeat would be a second prompt beside one that may have been taken. */
export function noAnswer(): Parameters<typeof say> {
  const message = t(
    'Jumpseat: Copilot didn’t answer within {seconds} s. The model may have worked on the request, so it ' +
      'isn’t sent again automatically. Send the prompt again if you still want the answer.',
    { seconds: headTimeoutMs / 1000 },
  );
  return ['no-answer', 504, 'api_error', message, final];
}

/** When it may ask again, as Copilot said. */
export function waits(failure: CopilotFailure): Partial<Reported> {
  const seconds = failure.retryAfterSeconds;
  return seconds === null ? {} : { retryAfterSeconds: Math.ceil(seconds), shouldRetry: seconds <= longestRetryAfter };
}

export function ended(sentence: string): string {
  return /[.!?…]$/.test(sentence) ? sentence : `${sentence}.`;
}

/** What the words for a failure may refer to. */
export interface RecoverContext {
  now: number;
  /** ISO time at which the quota starts anew, where GitHub has said. */
  quotaResetsAt: string | null;
  weeklyResetsAt: string | null;
  sessionResetsAt: string | null;
  askedModel: string | null;
  servedModel: string | null;
  /** GitHub chose the served model (Auto). */
  isAuto?: boolean;
  /** Why the served model is not offered; null if it is, or none was chosen. */
  absence: Absence | null;
  /** Ids that this account can use. */
  offered: readonly string[];
  /** Takes out of a text what is secret. */
  redact: Redact;
  /** Whether the request has these words, so that they are no code of Copilot's. */
  isQuoted?: (words: string) => boolean;
  /** Pages of all PDFs in the request; 0 where they cannot be counted. */
  pdfPages?: () => number;
}

/**
 * What the log may say of a fault of ours: its kind and where it happened. Not its message: the engine puts pieces of
 * what it was working on into some of them (`Unexpected token 'm', "my words…" is not valid JSON`).
 */
export function faultFacts(fault: unknown): { error: string; at: string[] } {
  if (!(fault instanceof Error)) return { error: typeof fault, at: [] };
  const { message, stack = '' } = fault;
  const begins = stack.indexOf(message);
  const lines = begins < 0 ? [] : stack.slice(begins + message.length).split('\n');
  return { error: fault.name, at: lines.filter((line) => /^\s+at /.test(line)).map((line) => line.trim()) };
}
