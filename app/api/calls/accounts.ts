import { z } from 'zod';
import { credentialKindSchema, signInRequestSchema, signInResultSchema } from '../account.ts';
import { both, type CallTable, dashboard, tray } from '../call.ts';
import { keyWishSchema, namedKeySchema } from '../keys.ts';
import { secretsStorageSchema } from '../settings.ts';

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
  /** Like `signIn` without input, otherwise like `signInWith`; the account's state has the device code. */
  signInAccount: both(z.tuple([idSchema, signInRequestSchema.nullable()]), signInResultSchema),
  /** The others stay signed in. What is bound to it is refused until it is signed in again. */
  signOutAccount: both(z.tuple([idSchema]), z.void()),
  /** Signs out and forgets name and labels. Neither the first one nor the one in use. */
  removeAccount: both(z.tuple([idSchema]), z.void()),
} satisfies CallTable;

/** Calls about who is signed in, and where token and key are stored. */
export const signInCalls = {
  /** Runs one device flow to its end; its code is in the state. */
  signIn: both(z.tuple([]), signInResultSchema),
  /**
   * The same for the way that is asked for: with a device flow, a token that is checked, or what the Copilot CLI
   * stored. What was in use stays so until this one is stored, and is kept for the way back.
   */
  signInWith: both(z.tuple([signInRequestSchema]), signInResultSchema),
  /** Goes over to what is stored for another way. False: nothing is, and all stays as it is. */
  chooseCredential: both(z.tuple([credentialKindSchema]), z.boolean()),
  /**
   * Fetches GitHub’s runtime from the npm registry; `AppState.admission` tells how far it is. Rejects where it can’t be
   * had; then nothing is left of it.
   */
  fetchRuntime: both(z.tuple([]), z.void()),
  /** Ends a fetch that runs. */
  cancelFetch: both(z.tuple([]), z.void()),
  /** Ends a sign-in that waits for the person, from whichever front; it results in `cancelled`. */
  cancelSignIn: both(z.tuple([]), z.void()),
  signOut: both(z.tuple([]), z.void()),
  /** The local key without a label, for a command in another process; made at the first call. */
  localKey: dashboard(z.tuple([]), z.string()),
  /** A new local key; a proxy that is on takes it at once, and running answers are ended. */
  replaceKey: tray(z.tuple([]), z.void()),
  /**
   * Moves token and key to another store and empties the old one. The choice is kept, but for `memory` where there is
   * no keychain; asking for `file` is the consent to it. Rejects where the other store can’t take them; then nothing
   * was moved.
   */
  moveSecrets: both(z.tuple([secretsStorageSchema]), z.void()),
} satisfies CallTable;

/** Calls about further local keys. */
export const keyCalls = {
  /** In the order in which they were created. */
  namedKeys: both(z.tuple([]), z.array(namedKeySchema)),
  /** The new key, which can’t be read again. Rejects where the name is taken. */
  createKey: dashboard(z.tuple([keyWishSchema]), z.string()),
  /** Revokes a key: it is refused from now on, and its running answers end. Rejects if no key has that name. */
  revokeKey: both(z.tuple([z.string().max(64)]), z.void()),
} satisfies CallTable;
