import type { AnswersTo, App } from '../api/app.ts';
import type { signInCalls } from '../api/calls/accounts.ts';
import type { KeptSecrets } from './kept-secrets.ts';
import type { RuntimeFetch } from './runtime-fetch.ts';
import type { SignIns } from './sign-ins.ts';

export function signInAnswers(given: {
  /** Sign-ins of the account in use. */
  signIns(): SignIns;
  secrets: KeptSecrets;
  runtime: RuntimeFetch;
  cancelAll(): void;
}): AnswersTo<typeof signInCalls> & Pick<App, 'trySecrets' | 'runtime'> {
  const { signIns, secrets, runtime, cancelAll } = given;
  return {
    localKey: () => secrets.key(),
    trySecrets: () => secrets.try(),
    runtime: () => runtime.look(),
    signIn: (shown = () => {}, signal) => signIns().signIn(shown, signal),
    signInWith: (request, shown = () => {}, signal) => signIns().signIn(shown, signal, request),
    chooseCredential: (kind) => signIns().use(kind),
    fetchRuntime: () => runtime.fetch(),
    cancelFetch: () => runtime.cancel(),
    cancelSignIn: () => cancelAll(),
    signOut: () => signIns().signOut(),
    replaceKey: () => secrets.replaceKey(),
    moveSecrets: (to) => secrets.move(to),
  };
}
