import { AccountError } from '../../account/account-error.ts';
import { CatalogError } from '../../copilot/catalog.ts';
import { failureFromAccount } from '../../copilot/failures.ts';
import type { Log } from '../../ports.ts';
import { ServerStopping } from '../answering/client-call.ts';
import { UnreadableAnswer } from '../answering/relay.ts';
import { answerWithoutForm } from '../recover/broken-answer.ts';
import type { ClientError } from '../recover/client-error.ts';
import { faultFacts } from '../recover/fault.ts';
import type { RecoverContext } from '../recover/recover-context.ts';
import { recoverFailure } from '../recover/recover-failure.ts';
import { refuse } from '../recover/refuse.ts';
import { Stopped } from '../recover/stopped.ts';

/** What a client is told of whatever a step has thrown. A fault of ours goes to the log. */
export function clientErrorOf(
  thrown: unknown,
  run: { id: string; wasSent: boolean; log: Log; context(): RecoverContext },
): ClientError {
  if (thrown instanceof Stopped) return thrown.error;
  if (thrown instanceof AccountError) return recoverFailure(failureFromAccount(thrown), run.context());
  if (thrown instanceof CatalogError) return recoverFailure(thrown.failure, run.context());
  if (thrown instanceof ServerStopping) {
    return refuse(
      503,
      'api_error',
      'stopped',
      'Jumpseat: the proxy was switched off while this answer was running. Turn it on, then try again.',
      false,
    );
  }
  // The stack ends where a value within a value within a value … is read or written; nothing has been sent then.
  if (thrown instanceof RangeError && !run.wasSent)
    return refuse(
      400,
      'invalid_request_error',
      'too-deep',
      'Jumpseat: the body is nested too deeply. Send values within fewer others.',
      false,
    );
  const isUnreadable = thrown instanceof UnreadableAnswer;
  run.log.write('error', 'exchange.broke', { exchange: run.id, ...faultFacts(isUnreadable ? thrown.cause : thrown) });
  if (isUnreadable) return answerWithoutForm();
  return refuse(500, 'api_error', 'internal', 'Jumpseat: Internal error. The log of Jumpseat says more.');
}
