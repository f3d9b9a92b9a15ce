import type { ClientApi } from '../../api/exchange.ts';
import { answerFailure } from '../answering/answer-failure.ts';
import { type ClientCall, ClientLeft } from '../answering/client-call.ts';
import type { ClientStream } from '../answering/relay.ts';
import { kindOf } from '../recover/client-error.ts';
import type { ErrorWords } from '../recover/error-words.ts';
import type { Run } from './run.ts';
import type { Runs } from './runs.ts';

/** What the steps of a request leave for its end. */
export interface Out<Envelope> {
  /** The client's stream, once it wants one; it has to be closed. */
  stream: ClientStream | null;
  /** Ends the turn among the client's requests. */
  release: (() => void) | null;
  /** The last events of a stream that failed, in the words of the plan that was sent. */
  failureEvents: ((envelope: Envelope) => string) | null;
}

/** One request: its run begins and ends here, whatever `steps` meet. Never rejects. */
export async function serve<Envelope extends object>(
  { runs, call, api }: { runs: Runs; call: ClientCall; api: ClientApi },
  words: ErrorWords<Envelope>,
  steps: (run: Run, out: Out<Envelope>) => Promise<void>,
): Promise<void> {
  const run = runs.begin(call, api);
  const out: Out<Envelope> = { stream: null, release: null, failureEvents: null };
  try {
    await steps(run, out);
  } catch (error) {
    fail(run, words, error, out.failureEvents);
  } finally {
    out.stream?.close();
    out.release?.();
    run.end();
  }
}

/** recover: a failure, in the words this client understands. */
function fail<Envelope extends object>(
  run: Run,
  words: ErrorWords<Envelope>,
  thrown: unknown,
  failureEvents: ((envelope: Envelope) => string) | null,
): void {
  const { call, row } = run;
  if (call.signal.aborted && call.signal.reason instanceof ClientLeft) {
    run.left(call.signal.reason);
    return;
  }
  const error = run.clientError(thrown);
  const told = words.tell(error, call.requestId);
  row.outcome = run.told.failure?.kind === 'cut' ? 'cut' : 'failed';
  row.failure = { ...error.failure, ...kindOf(error), told: told.kept };
  const bytes = answerFailure(call, words, error, told, run.told.ended ? null : failureEvents);
  if (bytes === null) {
    row.status ??= 200;
    return;
  }
  row.status = told.status;
  run.recording.told(bytes);
}
