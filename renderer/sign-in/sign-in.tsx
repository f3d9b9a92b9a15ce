import classNames from 'classnames/bind';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { useStore } from 'zustand';
import type { Problem } from '../../app/api/call.ts';
import { t, translated } from '../../app/language/translate.ts';
import { declinedSignIn, refusedSignIn, storageChoice } from '../../app/words/account.ts';
import { Button, LinkButton } from '../parts/button.tsx';
import { Passed, Ring, Warning } from '../parts/icons.tsx';
import { useActions } from '../state/actions.ts';
import { useApp, useServices, useWindow } from '../state/services.ts';
import { CodeField } from './code.tsx';
import styles from './sign-in.module.css';

const css = classNames.bind(styles);

/**
 * The sign-in from the question for a code to its end, without a frame of its own: a card and the first run show it.
 * `idle`: what stands there before it began. `done`: after it.
 */
export function SignIn({ idle, done }: { idle: ReactNode; done: ReactNode }) {
  const { signIn, store } = useServices();
  const { account, admission, secrets } = useApp();
  const free = useWindow(({ preferences }) => preferences?.storageIsFree === true);
  const step = useStore(signIn.store, (state) => state.step);
  const actions = useActions();
  const isRefused = refusedSignIn(account) !== null;

  if (account.kind === 'signing-in') return <CodeField code={account.code} />;
  if (step.kind === 'under-way') {
    return (
      <div className={css('sign-in-foot', 'alone', 'in-row')}>
        <span className="muted">
          <Ring size={14} />{' '}
          {account.kind === 'signed-in' && !isRefused
            ? account.login === null
              ? t('Signed in. Checking Copilot…')
              : t('Signed in as {login}. Checking Copilot…', { login: account.login })
            : t('Getting a code from GitHub…')}
        </span>
        <LinkButton alone onClick={signIn.cancel}>
          {t('Cancel')}
        </LinkButton>
      </div>
    );
  }
  // Why a new sign-in failed is said before what was wrong with the one before.
  const hasFailed = step.kind === 'ended' && step.result.kind !== 'signed-in' && step.result.kind !== 'cancelled';
  if (account.kind === 'signed-in' && account.notice !== null && !(isRefused && hasFailed)) {
    const { title, message, url } = account.notice;
    return (
      <Reported
        title={title}
        actions={
          <>
            {url !== null && (
              <Button size="large" look="primary" onClick={() => actions.openOutside(url)}>
                {t('Open on GitHub')}
              </Button>
            )}
            <Button
              size="large"
              onClick={() => {
                // A token that the person made is pasted there.
                if (admission.credential === 'token') store.setState({ choosingWay: true });
                else void signIn.begin();
              }}
            >
              {isRefused ? t('Sign in') : t('Use another account')}
            </Button>
          </>
        }
      >
        {message}
      </Reported>
    );
  }
  if (account.kind === 'signed-in' && !isRefused) return done;
  // One that is locked is to be unlocked: moving away from it would leave the token in it behind.
  if (secrets.problem?.code === 'secrets-locked') {
    return (
      <Reported
        title={secrets.problem.text}
        actions={
          <Button size="large" look="primary" onClick={() => void signIn.begin()}>
            {t('Try again')}
          </Button>
        }
      >
        {secrets.problem.remedy}
      </Reported>
    );
  }
  if (secrets.problem !== null && free) return <StorageChoice problem={secrets.problem} />;
  if (step.kind !== 'ended') return idle;
  const again = (label: string): ReactNode => (
    <Button size="large" look="primary" onClick={() => void signIn.begin()}>
      {label}
    </Button>
  );
  const cancel = (
    <Button size="large" onClick={signIn.forget}>
      {t('Cancel')}
    </Button>
  );
  switch (step.result.kind) {
    case 'expired':
      return (
        <Reported
          title={t('This code has expired.')}
          actions={
            <>
              {again(t('Get a new code'))}
              {cancel}
            </>
          }
        >
          {t('Codes are good for 15 minutes.')}
        </Reported>
      );
    case 'denied':
      return (
        <Reported
          title={translated(declinedSignIn.title)}
          actions={
            <>
              {again(t('Try again'))}
              {cancel}
            </>
          }
        >
          {translated(declinedSignIn.text)}
        </Reported>
      );
    case 'no-storage':
    case 'failed':
      return (
        <Reported
          title={step.result.text}
          actions={
            <>
              {again(t('Try again'))}
              {step.result.kind === 'no-storage' && free && secrets.storage !== 'file' && <StoreInFile />}
              {cancel}
            </>
          }
        >
          {step.result.remedy}
        </Reported>
      );
    case 'signed-in':
    case 'cancelled':
      return idle;
  }
}

/** Bad news with its way out. */
function Reported({ title, children, actions }: { title: string; children: ReactNode; actions: ReactNode }) {
  return (
    <div className={css('sign-in-result')} role="alert">
      <Warning size={16} />
      <div>
        <b>{title}</b>
        <p className="muted">{children}</p>
        <div className="buttons">{actions}</div>
      </div>
    </div>
  );
}

/** Asked before the sign-in at GitHub begins: where no token can be kept it would be done in vain. */
function StorageChoice({ problem }: { problem: Problem }) {
  const { signIn, bridge, store } = useServices();
  const actions = useActions();
  const [moving, setMoving] = useState(false);
  const { moveSecrets } = bridge;
  const choose = async (to: 'memory' | 'file'): Promise<void> => {
    setMoving(true);
    await actions.tried(moveSecrets(to).then(() => signIn.begin()));
    setMoving(false);
  };
  return (
    <Reported
      title={problem.text}
      actions={
        <>
          <Button size="large" disabled={moving} onClick={() => void choose('memory')}>
            {t('Until I quit')}
          </Button>
          <Button size="large" disabled={moving} onClick={() => void choose('file')}>
            {t('Store in a file')}
          </Button>
          <Button size="large" disabled={moving} onClick={() => store.setState({ choosingWay: true })}>
            {t('Choose another way…')}
          </Button>
        </>
      }
    >
      {translated(storageChoice)}
      <span className={css('small', 'reason')}>{problem.remedy}</span>
    </Reported>
  );
}

function StoreInFile() {
  const { bridge, signIn } = useServices();
  const actions = useActions();
  const { moveSecrets } = bridge;
  return (
    <Button size="large" onClick={() => void actions.tried(moveSecrets('file').then(() => signIn.begin()))}>
      {t('Store in a file')}
    </Button>
  );
}

/** Signed in, with the tick that says so. */
export function SignedIn({ children }: { children: ReactNode }) {
  return (
    <div className={css('sign-in-result', 'good')} role="status">
      <Passed size={16} />
      <div>{children}</div>
    </div>
  );
}
