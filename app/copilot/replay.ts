import type { CopilotFailure } from './failures.ts';

/**
 * Why a request may be sent again: each shows that nothing was done with it. A server error, a reset and silence do
 * not: the model may have been at work, so the client gets them at once and decides.
 */
export type ReplayKind = 'token-refused' | 'wrong-host' | 'forbidden' | 'request-timeout' | 'network';

/** How often a client's request is sent at most, fitted anew after refusals included. */
const mostPosts = 6;

/** The repeats that one request of a client has left, whatever they are for. */
export class ReplayBudget {
  #left = mostPosts - 1;

  /** False: there is none left. */
  take(): boolean {
    if (this.#left === 0) return false;
    this.#left -= 1;
    return true;
  }
}

/** Each kind is met once per sending. Who may not connect in time would wait as long again. */
export function replayKindOf({ status, code, mayHaveArrived }: CopilotFailure): ReplayKind | null {
  switch (status) {
    case null:
      return mayHaveArrived || code === 'TIMEOUT' ? null : 'network';
    case 401:
      return 'token-refused';
    case 403:
      return 'forbidden';
    case 408:
      return 'request-timeout';
    case 421:
      return 'wrong-host';
    default:
      return null;
  }
}
