import type { CopilotFailure } from './failures.ts';

/** Why a call may be replayed: each once, and none after the head of a good answer. */
export type ReplayKind = 'token-refused' | 'wrong-host' | 'forbidden' | 'request-timeout' | 'network' | 'server-error';

export const mostReplays = 3;

/** No answer in time is not replayed: the model may be at work on it. */
export function replayKindOf(failure: CopilotFailure): ReplayKind | null {
  switch (failure.status) {
    case null:
      return failure.code === 'TIMEOUT' ? null : 'network';
    case 401:
      return 'token-refused';
    case 403:
      return 'forbidden';
    case 408:
      return 'request-timeout';
    case 421:
      return 'wrong-host';
    case 500:
    case 502:
    case 504:
      return 'server-error';
    default:
      return null;
  }
}
