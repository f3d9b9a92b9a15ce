import type { ClientError } from '../recover/client-error.ts';
import type { ErrorWords, ToldError } from '../recover/error-words.ts';
import { answerJson } from './answer-json.ts';
import type { ClientCall } from './client-call.ts';

/**
 * A failure as JSON while nothing went out, whose bytes are returned; else as the stream's last events. Nothing follows
 * an end that was told.
 * @param lastEvents null: the stream has told its end
 */
export function answerFailure<Envelope extends object>(
  call: Pick<ClientCall, 'answer' | 'requestId'>,
  words: Pick<ErrorWords<Envelope>, 'requestIdHeader'>,
  { retryAfterSeconds, shouldRetry }: ClientError,
  { status, body }: ToldError<Envelope>,
  lastEvents: ((envelope: Envelope) => string) | null,
): Buffer | null {
  const { answer } = call;
  if (answer.begun) {
    if (lastEvents !== null) answer.write(lastEvents(body));
    answer.end();
    return null;
  }
  const headers: Record<string, string> = {};
  if (retryAfterSeconds !== null) headers['retry-after'] = String(retryAfterSeconds);
  if (!shouldRetry) headers['x-should-retry'] = 'false';
  return answerJson(call, words, status, body, headers);
}
