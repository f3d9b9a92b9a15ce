import { z } from 'zod';
import { both, type CallTable } from '../call.ts';
import { checkSchema } from '../health.ts';
import { appStateSchema } from '../state.ts';

/** The state of the app, and whether a request would work now. */
export const healthCalls = {
  state: both(z.tuple([]), appStateSchema),
  checks: both(z.tuple([]), z.array(checkSchema)),
  /** Null where there is none of that name. */
  check: both(z.tuple([z.string().max(60)]), checkSchema.nullable()),
  /** Asks keychain, GitHub and Copilot again: token, account, quota. */
  refresh: both(z.tuple([]), z.void()),
  /** For somebody who sees that the connection is lost: asks Copilot once, where `retryAt` is past. */
  lookAgain: both(z.tuple([]), z.void()),
} satisfies CallTable;
