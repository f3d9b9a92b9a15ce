import classNames from 'classnames/bind';
import { useState } from 'react';
import { t } from '../../app/language/translate.ts';
import { LinkButton } from '../parts/button.tsx';
import { RiskNotice } from '../parts/notices.tsx';
import { useActions } from '../state/actions.ts';
import { takePreferences } from '../state/preferences.ts';
import { go } from '../state/routes.ts';
import { useApp, useServices } from '../state/services.ts';
import { Connected, ConnectStep, type SetupDone, useFirstRequest } from './connect-step.tsx';
import styles from './first-run.module.css';
import { ProxyStep } from './proxy-step.tsx';
import { type SignInPart, SignInStep } from './sign-in-step.tsx';
import { Step } from './step.tsx';
import { stepStates } from './steps.ts';

const css = classNames.bind(styles);

/** From nothing to the first request, in three steps; each is checked before the next. */
export function FirstRunView({ SignIn }: { SignIn: SignInPart }) {
  const app = useApp();
  const first = useFirstRequest();
  const [setup, setSetup] = useState<SetupDone>('no');
  const finish = useFinish();
  const { openOutside } = useActions();
  const states = stepStates(app, { connected: first !== null && setup !== 'undone' });
  return (
    <div className={css('first-run')}>
      <div className={css('first-run-inner')}>
        <h1>{t('Run Claude Code on your Copilot subscription')}</h1>
        <p className="muted">{t('Three steps. Each one is checked as you go.')}</p>
        <ol className={css('steps')}>
          <Step number={1} title={t('Sign in to GitHub')} state={states.signIn}>
            <SignInStep state={states.signIn} SignIn={SignIn} />
          </Step>
          <Step number={2} title={t('Start the proxy')} state={states.proxy}>
            <ProxyStep state={states.proxy} />
          </Step>
          <Step number={3} title={t('Connect Claude Code')} state={states.connect}>
            {states.connect === 'waits' ? (
              <p className="muted">
                {t('Claude Code’s settings get the proxy’s address. You see the change before it’s made.')}
              </p>
            ) : first !== null && setup !== 'undone' ? (
              <Connected first={first} undone={setup === 'written' ? () => setSetup('undone') : null} finish={finish} />
            ) : (
              <ConnectStep setup={setup} done={setSetup} />
            )}
          </Step>
        </ol>
        {states.connect !== 'done' && (
          <p className={css('first-run-skip')}>
            <LinkButton alone onClick={finish}>
              {setup === 'no' ? t('Skip') : t('Finish later')}
            </LinkButton>
          </p>
        )}
        <RiskNotice way={app.admission.way} openOutside={openOutside} />
      </div>
    </div>
  );
}

/** The first run is over: not shown by itself again. */
function useFinish(): () => void {
  const { bridge, store } = useServices();
  return () => {
    void bridge
      .changePreferences?.({ welcomed: true })
      .then((preferences) => takePreferences(store, preferences))
      .catch(() => undefined);
    go({ place: 'requests' });
  };
}
