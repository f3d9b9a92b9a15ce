import type { CopilotFailure } from '../../../app/copilot/failures.ts';

/** A failure of which nothing is known but what is given. */
export function failure(known: Partial<CopilotFailure> = {}): CopilotFailure {
  return {
    source: 'copilot',
    status: null,
    code: null,
    message: 'It failed',
    speaker: 'copilot',
    requestIds: [],
    retryAfterSeconds: null,
    limitExceeded: null,
    notice: null,
    authorizeUrl: null,
    host: null,
    mayHaveArrived: false,
    signedOut: false,
    tokensRefused: false,
    ...known,
  };
}
