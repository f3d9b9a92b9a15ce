import type { ClientCall } from '../app/exchange/answering/client-call.ts';
import type { AnswerTarget } from '../app/exchange/answering/relay.ts';
import type { Collector, ErrorWords } from '../app/exchange/clients/client.ts';
import { answerWithoutForm } from '../app/exchange/recover/broken-answer.ts';
import { Stopped } from '../app/exchange/recover/stopped.ts';

/** The whole answer. Throws `Stopped` where the events make none. */
export function wholeOf(collector: Collector): object {
  const answer = collector.answer();
  if (answer === null) throw new Stopped(answerWithoutForm());
  return answer;
}

/** A whole answer is a collected stream. */
export function collecting(collector: Collector): AnswerTarget {
  return {
    write: (bytes) => {
      collector.push(bytes);
      return true;
    },
    drained: (then) => then(),
  };
}

export function answerJson(
  { answer, requestId }: ClientCall,
  { requestIdHeader }: ErrorWords<object>,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void {
  const bytes = Buffer.from(JSON.stringify(body));
  answer.begin(status, {
    'content-type': 'application/json',
    'content-length': String(bytes.length),
    [requestIdHeader]: requestId,
    ...headers,
  });
  answer.end(bytes);
}
