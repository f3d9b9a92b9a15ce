import classNames from 'classnames/bind';
import { useEffect, useRef, useState } from 'react';
import { sentences } from '../../app/language/sentences.ts';
import { t } from '../../app/language/translate.ts';
import { freePortHelps } from '../../app/words/status.ts';
import { exactDuration } from '../../app/words/times.ts';
import { Button } from '../parts/button.tsx';
import { Ring } from '../parts/icons.tsx';
import { rich } from '../parts/rich.tsx';
import { useActions } from '../state/actions.ts';
import { useApp, useServices } from '../state/services.ts';
import styles from './first-run.module.css';
import type { StepState } from './steps.ts';

const css = classNames.bind(styles);

/** Starts by itself as soon as the person is signed in. */
export function ProxyStep({ state }: { state: StepState }) {
  const { bridge } = useServices();
  const { proxy } = useApp();
  const actions = useActions();
  const answered = useConnectionTime(state === 'done');
  const begun = useRef(false);
  const { setProxy, takeFreePort } = actions;
  useEffect(() => {
    if (begun.current || state !== 'now' || proxy.kind !== 'off' || bridge.setProxy === null) return;
    begun.current = true;
    void setProxy?.(true);
  }, [state, proxy.kind, bridge.setProxy, setProxy]);

  const purpose = (
    <p className="muted">
      {t('The proxy passes Claude Code’s requests on to Copilot. It listens on this machine only.')}
    </p>
  );
  if (state === 'waits') return purpose;
  switch (proxy.kind) {
    case 'on':
      return (
        <p className="muted">
          {rich('Listening on <code>{address}</code>.', {
            address: proxy.baseUrl.replace(/^https?:\/\//, ''),
            code: (inside) => <code>{inside}</code>,
          })}{' '}
          {answered}
        </p>
      );
    case 'failed':
      return (
        <>
          <p className="bad">
            {proxy.reason} <span className="muted">{proxy.code === 'port-taken' ? '' : proxy.remedy}</span>
          </p>
          <div className={css('step-controls', 'buttons')}>
            {takeFreePort !== null && freePortHelps(proxy) && (
              <Button size="large" look="primary" onClick={() => void takeFreePort()}>
                {t('Use a free port')}
              </Button>
            )}
            {setProxy !== null && (
              <Button size="large" onClick={() => void setProxy(true)}>
                {t('Try again')}
              </Button>
            )}
          </div>
        </>
      );
    case 'off':
      return (
        <>
          {purpose}
          {setProxy !== null && (
            <div className={css('step-controls')}>
              <Button size="large" look="primary" onClick={() => void setProxy(true)}>
                {t('Start')}
              </Button>
            </div>
          )}
        </>
      );
    case 'starting':
    case 'stopping':
      return (
        <p className="muted in-row">
          <Ring size={14} /> {proxy.kind === 'starting' ? t('Starting…') : t('Stopping…')}
        </p>
      );
  }
}

/** `Copilot answered in 84 ms.`, once it has; what is wrong instead. */
function useConnectionTime(asked: boolean): string {
  const { bridge } = useServices();
  const [words, setWords] = useState(t('Asking Copilot…'));
  useEffect(() => {
    if (!asked) return;
    let gone = false;
    void bridge
      .check('copilot.connection')
      .then((check) => {
        if (gone || check === null) return;
        const { finding, remedy, tookMs } = check;
        setWords(
          tookMs === undefined
            ? sentences(finding, remedy ?? '')
            : t('Copilot answered in {took}.', { took: exactDuration(tookMs) }),
        );
      })
      .catch(() => setWords(''));
    return () => {
      gone = true;
    };
  }, [asked, bridge]);
  return words;
}
