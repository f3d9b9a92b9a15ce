import { z } from 'zod';
import { signInResultSchema } from '../account.ts';
import { both, type CallTable, tray } from '../call.ts';
import { secretsStorageSchema } from '../settings.ts';

/** Who is signed in, and where token and key lie. */
export const signInCalls = {
  /** Runs one device flow to its end; its code is in the state. */
  signIn: both(z.tuple([]), signInResultSchema),
  /** Ends a sign-in that waits for the person, whoever began it; it results in `cancelled`. */
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
