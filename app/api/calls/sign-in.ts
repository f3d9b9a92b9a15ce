import { z } from 'zod';
import { credentialKindSchema, signInRequestSchema, signInResultSchema } from '../account.ts';
import { both, type CallTable, tray } from '../call.ts';
import { secretsStorageSchema } from '../settings.ts';

/** Who is signed in, and where token and key lie. */
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
  /** A new local key; a proxy that is on takes it at once, and running answers are ended. */
  replaceKey: tray(z.tuple([]), z.void()),
  /**
   * Moves token and key to another store and empties the old one. The choice is kept, but for `memory`; asking for
   * `file` is the consent to it. Rejects where the other store can’t take them; then nothing was moved.
   */
  moveSecrets: both(z.tuple([secretsStorageSchema]), z.void()),
} satisfies CallTable;
