import { inOwnWords } from '../api/shell.ts';
import type { AnswerFacts } from '../formats/answer/answer.ts';
import { answerFailure, ClientLeft } from './client-call.ts';
import type { ExchangeDependencies } from './dependencies.ts';
import { safeguardsRefused } from './fits/fields.ts';
import type { Run } from './record.ts';
import { type ClientError, type ErrorWords, kindOf, type RecoverContext } from './recover/error.ts';
import { clientErrorOf, recoverContextOf } from './recover/recover.ts';

/** What a step has thrown: in the row, and to the client in its words. `recover/` has which words. */
export class Recovery {
  readonly #dependencies: ExchangeDependencies;

  constructor(dependencies: ExchangeDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * recover: a failure, in the words this client understands.
   * @param told of the answer as the client got it; null if there was none yet
   */
  recover<Envelope extends object>(
    run: Run,
    words: ErrorWords<Envelope>,
    thrown: unknown,
    reported: AnswerFacts | null,
    lastEvents: ((envelope: Envelope) => string) | null,
  ): void {
    const { call, row } = run;
    const error = this.failed(run, thrown, reported);
    if (error === null) return;
    const said = words.tell(error, call.requestId);
    row.failure = { ...error.failure, ...kindOf(error), clientMessage: said.kept };
    const bytes = answerFailure(call, words, error, said, reported?.ended ? null : lastEvents);
    if (bytes === null) {
      row.status ??= 200;
      return;
    }
    row.status = said.status;
    run.recording?.returned(bytes);
  }

  /** Records what a step has thrown in the row. Null if the client has left. */
  failed(run: Run, thrown: unknown, reported: AnswerFacts | null): ClientError | null {
    const { row, call } = run;
    if (call.signal.aborted && call.signal.reason instanceof ClientLeft) {
      run.left();
      return null;
    }
    const { log } = this.#dependencies;
    const wasSent = row.times.sent !== null;
    const error = this.#inOwnWords(
      clientErrorOf(thrown, { id: row.id, wasSent, log, context: () => this.context(run) }),
    );
    const isDeclined = error.failure.code === safeguardsRefused;
    run.failed(error, reported?.failure?.kind === 'cut' ? 'cut' : isDeclined ? 'declined' : 'failed');
    return error;
  }

  /** With the commands as they are typed for this installation. */
  #inOwnWords(error: ClientError): ClientError {
    const { command } = this.#dependencies;
    if (command === undefined) return error;
    const { message, failure } = error;
    const clientMessage = failure.clientMessage && inOwnWords(failure.clientMessage, command);
    return { ...error, message: inOwnWords(message, command), failure: { ...failure, clientMessage } };
  }

  context(run: Run): RecoverContext {
    return recoverContextOf(this.#dependencies, run.used, run);
  }
}
