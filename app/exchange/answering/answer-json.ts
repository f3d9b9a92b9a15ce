import type { ErrorWords } from '../recover/error-words.ts';
import type { ClientCall } from './client-call.ts';

/** The whole answer to a call, as JSON. Returns its bytes. */
export function answerJson(
  { answer, requestId }: Pick<ClientCall, 'answer' | 'requestId'>,
  { requestIdHeader }: Pick<ErrorWords<object>, 'requestIdHeader'>,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): Buffer {
  const bytes = Buffer.from(JSON.stringify(body));
  answer.begin(status, {
    'content-type': 'application/json',
    'content-length': String(bytes.length),
    [requestIdHeader]: requestId,
    ...headers,
  });
  answer.end(bytes);
  return bytes;
}
