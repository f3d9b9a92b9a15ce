import classNames from 'classnames/bind';
import { useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { t } from '../../app/language/translate.ts';
import { accountName, refusedSignIn } from '../../app/words/account.ts';
import { Button, LinkButton } from '../parts/button.tsx';
import { RiskNotice } from '../parts/notices.tsx';
import { useActions } from '../state/actions.ts';
import { useApp, useServices, useWindow } from '../state/services.ts';
import styles from './sign-in.module.css';
import { SignedIn, SignIn } from './sign-in.tsx';

const css = classNames.bind(styles);

const shownMs = 1500;

/** The sign-in as a card in the middle of the view. It requests a code at once. */
export function SignInView() {
  const { signIn, store } = useServices();
  const { account, admission, secrets } = useApp();
  const { openOutside } = useActions();
  const free = useWindow(({ preferences }) => preferences?.storageIsFree === true);
  // Who came by the first run, or was here before, has been told.
  const first = useWindow(({ preferences }) => preferences?.welcomedAt === null) && account.kind !== 'signed-in';
  const begun = useRef(false);
  const needsStorage = secrets.problem !== null && free;
  const isOut = account.kind !== 'signed-in' || refusedSignIn(account) !== null;

  useEffect(() => {
    if (begun.current || needsStorage) return;
    begun.current = true;
    const { step } = signIn.store.getState();
    // One that succeeded before, in the first run or here, is over: it neither leads back nor keeps from a new one.
    if (step.kind === 'ended' && step.result.kind === 'signed-in') signIn.forget();
    const isFree = signIn.store.getState().step.kind === 'idle';
    if (isOut && account.kind !== 'signing-in' && isFree) void signIn.begin();
  }, [account, isOut, needsStorage, signIn]);

  return (
    <div className={css('sign-in-place')}>
      <section className={css('sign-in-card')} aria-labelledby="sign-in-heading">
        <h1 id="sign-in-heading">{t('Sign in to GitHub')}</h1>
        <Explanation />
        <SignIn
          idle={
            <div className="buttons">
              <Button size="large" look="primary" onClick={() => void signIn.begin()}>
                {t('Get a code')}
              </Button>
              <Button size="large" onClick={signIn.goBack}>
                {t('Cancel')}
              </Button>
            </div>
          }
          done={<Done />}
        />
        {isOut && !needsStorage && (
          <p className="small">
            <LinkButton onClick={() => store.setState({ choosingWay: true })}>{t('Choose another way…')}</LinkButton>
          </p>
        )}
      </section>
      {first && <RiskNotice way={admission.way} openOutside={openOutside} />}
    </div>
  );
}

function Explanation() {
  const { account } = useApp();
  if (account.kind === 'signing-in') {
    return <p className="muted">{t('Enter this code on GitHub to let Jumpseat use your Copilot subscription.')}</p>;
  }
  return account.kind === 'signed-in' ? null : (
    <p className="muted">{t('Jumpseat needs a GitHub account with Copilot.')}</p>
  );
}

/** Back to where the person came from, after a moment to read it. */
function Done() {
  const { signIn } = useServices();
  const name = accountName(useApp().account);
  const fresh = useStore(signIn.store, ({ step }) => step.kind === 'ended' && step.result.kind === 'signed-in');
  useEffect(() => {
    if (!fresh) return;
    const timer = setTimeout(signIn.goBack, shownMs);
    return () => clearTimeout(timer);
  }, [fresh, signIn]);
  return (
    <>
      <SignedIn>
        <b>{name === null ? t('Signed in.') : t('Signed in as {name}.', { name })}</b>
      </SignedIn>
      <div className="buttons">
        <Button size="large" look="primary" onClick={signIn.goBack}>
          {t('Continue')}
        </Button>
        {!fresh && (
          <Button size="large" onClick={() => void signIn.begin()}>
            {t('Use another account')}
          </Button>
        )}
      </div>
    </>
  );
}
