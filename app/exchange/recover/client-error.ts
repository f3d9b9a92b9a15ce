import type { ErrorKind, Failure, LimitKind } from '../../api/exchange.ts';
import type { AnthropicErrorType } from '../../formats/messages/error.ts';

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

/** What a row of the log has of it beside its facts, for code to decide by. */
export function kindOf({ kind, limit, tooLong }: ClientError): Pick<Failure, 'kind' | 'limit' | 'tooLong'> {
  return { kind, ...(limit === undefined ? {} : { limit }), ...(tooLong === undefined ? {} : { tooLong }) };
}
