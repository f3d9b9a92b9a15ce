import { z } from 'zod';
import { signInRequestSchema, signInResultSchema } from '../account.ts';
import { both, type CallTable } from '../call.ts';

const idSchema = z.string().max(16);

/** The person's own accounts, side by side. `AppState.accounts` has them. Each rejects where it can’t be done. */
export const accountCalls = {
  /** Asks GitHub and Copilot anew for each of them, as far as they answer. */
  refreshAccounts: both(z.tuple([]), z.void()),
  /** A further one, which is not signed in yet. Its id. */
  addAccount: both(z.tuple([z.string().max(200)]), z.string()),
  renameAccount: both(z.tuple([idSchema, z.string().max(200)]), z.void()),
  /** Exactly these labels of clients are bound to it from now on; what was bound to another one is so no more. */
  bindAccount: both(z.tuple([idSchema, z.array(z.string().max(200)).max(50)]), z.void()),
  /** Clients whose label is bound to none go out with it from the next request on. */
  switchAccount: both(z.tuple([idSchema]), z.void()),
  /** As `signIn` where nothing is asked for, else as `signInWith`; a code is in the state of the account. */
  signInAccount: both(z.tuple([idSchema, signInRequestSchema.nullable()]), signInResultSchema),
  /** The others stay signed in. What is bound to it is refused until it is signed in again. */
  signOutAccount: both(z.tuple([idSchema]), z.void()),
  /** Signs out and forgets name and labels. Neither the first one nor the one in use. */
  removeAccount: both(z.tuple([idSchema]), z.void()),
} satisfies CallTable;
