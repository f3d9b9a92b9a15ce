import type { Refusal } from './fit.ts';

/** For shapes that the fits cannot walk over. `message` names the place. */
export function malformed(message: string): Refusal {
  return {
    ok: false,
    status: 400,
    type: 'invalid_request_error',
    message,
    code: 'malformed-request',
    shouldRetry: false,
  };
}
