import type { ComponentType, ReactNode } from 'react';
import type { SecretsStorage } from '../../app/api/settings.ts';
import { accountName, autoOnlyWords } from '../../app/words/account.ts';
import { wayNames } from '../../app/words/admission.ts';
import { inTypedWords } from '../bridge/typed-command.ts';
import { Button } from '../parts/button.tsx';
import { useApp, useServices } from '../state/services.ts';
import type { StepState } from './steps.ts';

/** The sign-in as a part of other views. `idle`: shown before it begins. `done`: shown after it. */
export type SignInPart = ComponentType<{ idle: ReactNode; done: ReactNode }>;

const keptWords: Readonly<Record<SecretsStorage, string>> = {
  keychain: 'The token is in the system keychain.',
  file: 'The token is in a file that only your user can read.',
  memory: 'The token is in memory until you quit.',
};

export function SignInStep({ state, SignIn }: { state: StepState; SignIn: SignInPart }) {
  const { signIn, store } = useServices();
  const { secrets, account, admission, health, reach } = useApp();
  const name = accountName(account);
  if (reach.kind === 'through-vscode') {
    return <p className="muted">Requests go through VS Code, and are sent as whoever is signed in there.</p>;
  }
  if (state === 'done') {
    return (
      <>
        <div className="step-done">
          <p className="muted">
            {name === null ? 'Signed in.' : `Signed in as ${name}.`} {keptWords[secrets.storage]} Requests go{' '}
            {wayNames[admission.way]}.
          </p>
          <Button look="quiet" onClick={() => void signIn.begin()}>
            Change
          </Button>
        </div>
        {health.autoOnly && <AutoOnly />}
      </>
    );
  }
  return (
    <>
      <p className="muted">
        {account.kind === 'signing-in'
          ? 'Enter this code on GitHub to let Jumpseat use your Copilot subscription.'
          : `Jumpseat needs a GitHub account with Copilot. Requests go ${wayNames[admission.way]}.`}
      </p>
      <div className="step-controls">
        <SignIn
          idle={
            <div className="sign-in-buttons">
              <Button large look="primary" onClick={() => void signIn.begin()}>
                Sign in
              </Button>
              <Button large onClick={() => store.setState({ choosingWay: true })}>
                Choose another way…
              </Button>
            </div>
          }
          done={null}
        />
      </div>
    </>
  );
}

/** Nothing would be answered on this plan, and what helps. */
function AutoOnly() {
  const { account, admission } = useApp();
  const { store } = useServices();
  const { title, text, remedy } = autoOnlyWords(account, admission);
  return (
    <>
      <p className="bad" role="status">
        {title}. {text} {inTypedWords(remedy)}
      </p>
      <div className="step-controls">
        <Button onClick={() => store.setState({ choosingWay: true })}>Choose another way…</Button>
      </div>
    </>
  );
}
