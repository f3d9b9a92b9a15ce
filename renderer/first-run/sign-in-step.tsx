import classNames from 'classnames/bind';
import type { ComponentType, ReactNode } from 'react';
import type { SecretsStorage } from '../../app/api/settings.ts';
import { type Message, msg } from '../../app/language/messages.ts';
import { asSentence, sentences } from '../../app/language/sentences.ts';
import { t, translated } from '../../app/language/translate.ts';
import { accountName, autoOnlyWords } from '../../app/words/account.ts';
import { inTypedWords } from '../bridge/typed-command.ts';
import { Button } from '../parts/button.tsx';
import { useApp, useServices } from '../state/services.ts';
import styles from './first-run.module.css';
import type { StepState } from './steps.ts';

const css = classNames.bind(styles);

/** The sign-in as a part of other views. `idle`: shown before it begins. `done`: shown after it. */
export type SignInPart = ComponentType<{ idle: ReactNode; done: ReactNode }>;

const keptWords: Readonly<Record<SecretsStorage, Message>> = {
  keychain: msg('The token is in the system keychain.'),
  file: msg('The token is in a file that only your user can read.'),
  memory: msg('The token is in memory until you quit.'),
};

export function SignInStep({ state, SignIn }: { state: StepState; SignIn: SignInPart }) {
  const { signIn, store } = useServices();
  const { secrets, account, admission, health, reach } = useApp();
  const name = accountName(account);
  if (reach.kind === 'through-vscode') {
    return <p className="muted">{t('Requests go through VS Code, and are sent as whoever is signed in there.')}</p>;
  }
  if (state === 'done') {
    return (
      <>
        <div className={css('step-done')}>
          <p className="muted">
            {sentences(
              name === null ? t('Signed in.') : t('Signed in as {name}.', { name }),
              translated(keptWords[secrets.storage]),
              t('Requests go {way, select, vscode {as VS Code} other {through GitHub’s Copilot SDK}}.', {
                way: admission.way,
              }),
            )}
          </p>
          <Button look="quiet" onClick={() => void signIn.begin()}>
            {t('Change')}
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
          ? t('Enter this code on GitHub to let Jumpseat use your Copilot subscription.')
          : t(
              'Jumpseat needs a GitHub account with Copilot. Requests go {way, select, vscode {as VS Code} other {through GitHub’s Copilot SDK}}.',
              { way: admission.way },
            )}
      </p>
      <div className={css('step-controls')}>
        <SignIn
          idle={
            <div className="buttons">
              <Button size="large" look="primary" onClick={() => void signIn.begin()}>
                {t('Sign in')}
              </Button>
              <Button size="large" onClick={() => store.setState({ choosingWay: true })}>
                {t('Choose another way…')}
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
        {sentences(asSentence(title), text, inTypedWords(remedy))}
      </p>
      <div className={css('step-controls')}>
        <Button onClick={() => store.setState({ choosingWay: true })}>{t('Choose another way…')}</Button>
      </div>
    </>
  );
}
