import type { SignInResult } from '../api/account.ts';
import { AccountError } from './account-error.ts';
import { wayOf } from './credential.ts';
import type { Session } from './session.ts';
import type { Attempt } from './sign-in-attempts.ts';
import { storeTrouble, type TokenStore } from './token-store.ts';
import { unlessAborted } from './unless-aborted.ts';

/**
 * Stores what a person has signed in with; on the way through the runtime only what has let the person in. Null: it is
 * stored. Else how the sign-in ended.
 */
export async function keepSignIn(store: TokenStore, session: Session, attempt: Attempt): Promise<SignInResult | null> {
  if (wayOf(session.credential.kind) === 'copilot-sdk') {
    try {
      await unlessAborted(session.shared.get(), attempt.signal);
    } catch (error) {
      if (!attempt.isWanted()) return { kind: 'cancelled' };
      if (!(error instanceof AccountError)) throw error;
      return { kind: 'failed', text: `${error.message} Nothing was stored.`, mend: error.mend };
    }
  }
  if (!attempt.isWanted()) return { kind: 'cancelled' };
  // From here on it is stored, and in use afterwards: what the store holds must not be another one.
  try {
    await store.keep(session);
    return null;
  } catch (error) {
    const trouble = storeTrouble(error);
    return { kind: 'no-storage', text: `The sign-in could not be stored. ${trouble.message}`, mend: trouble.mend };
  }
}
