import type { ClientError } from './client-error.ts';

/** A failure in the words of a client API: status and envelope. */
export interface ToldError<Envelope> {
  status: number;
  body: Envelope;
  /** The message as it may be kept; null where it holds words of others, or says what the failure says. */
  kept: string | null;
}

/** How an API tells of failures, and under which header it names a request. */
export interface ErrorWords<Envelope> {
  readonly requestIdHeader: 'request-id' | 'x-request-id';
  tell(error: ClientError, requestId: string): ToldError<Envelope>;
}
