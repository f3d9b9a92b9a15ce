import type { ErrorKind } from '../../api/exchange.ts';
import type { CopilotFailure } from '../../copilot/failures.ts';
import type { AnthropicErrorType } from '../../formats/messages/error.ts';
import type { ClientError } from './client-error.ts';

/** From here on Claude Code gives up by itself; saying so saves it the attempt. */
export const longestRetryAfter = 60;

/** What a client is told of a failure. */
export type Told = Pick<ClientError, 'kind' | 'status' | 'type' | 'message' | 'retryAfterSeconds' | 'shouldRetry'> & {
  /** The message holds words of others, or of the request: it is told and not kept. */
  quotes: boolean;
};

/** In our own words, which may be kept. */
export function say(
  kind: ErrorKind,
  status: number,
  type: AnthropicErrorType,
  message: string,
  more: Partial<Told> = {},
): Told {
  return { kind, status, type, message, retryAfterSeconds: null, shouldRetry: true, quotes: false, ...more };
}

/** The client asks no second time by itself. */
export const final = { shouldRetry: false } as const;
export const quoting = { quotes: true } as const;

/** When it may ask again, as Copilot said. */
export function waits(failure: CopilotFailure): Partial<Told> {
  const seconds = failure.retryAfterSeconds;
  return seconds === null ? {} : { retryAfterSeconds: Math.ceil(seconds), shouldRetry: seconds <= longestRetryAfter };
}

export function ended(sentence: string): string {
  return /[.!?…]$/.test(sentence) ? sentence : `${sentence}.`;
}
