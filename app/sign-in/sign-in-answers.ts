import type { AnswersTo, App } from '../api/app.ts';
import type { signInCalls } from '../api/calls/sign-in.ts';
import type { KeptSecrets } from './kept-secrets.ts';
import type { SignIns } from './sign-ins.ts';

export function signInAnswers(given: {
  signIns: SignIns;
  secrets: KeptSecrets;
}): AnswersTo<typeof signInCalls> & Pick<App, 'localKey' | 'trySecrets'> {
  const { signIns, secrets } = given;
  return {
    localKey: () => secrets.key(),
    trySecrets: () => secrets.try(),
    signIn: (shown = () => {}, signal) => signIns.signIn(shown, signal),
    cancelSignIn: () => signIns.cancel(),
    signOut: () => signIns.signOut(),
    replaceKey: () => secrets.replaceKey(),
    moveSecrets: (to) => secrets.move(to),
  };
}
