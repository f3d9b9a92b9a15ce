import classNames from 'classnames/bind';
import { useEffect } from 'react';
import { t } from '../../app/language/translate.ts';
import { grouped } from '../../app/words/numbers.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { Close, Key, List, Pause, Search, Warning } from '../parts/icons.tsx';
import { Empty } from '../parts/view-frame.tsx';
import { useActions } from '../state/actions.ts';
import { announce, dismiss } from '../state/notices.ts';
import { go } from '../state/routes.ts';
import { useApp, useLog, useServices, useWindow } from '../state/services.ts';
import { useSetupPlan } from '../state/setup-plan.ts';
import styles from './requests.module.css';

const css = classNames.bind(styles);

/** Why the list is empty, and the way out of it. */
export function EmptyList({ clearFilter }: { clearFilter: () => void }) {
  const { log } = useServices();
  const { filter, quick, known, cleared } = useLog();
  const { proxy, account, reach } = useApp();
  const actions = useActions();
  if (known > cleared && (!filter.empty || quick !== 'all')) {
    return (
      <Empty
        icon={<Search size={24} />}
        title={t('No requests match')}
        actions={
          <Button size="large" onClick={clearFilter}>
            {t('Clear filter')}
          </Button>
        }
      >
        {t(
          '{count, plural, one {The only request doesn’t match this filter.} other {None of # requests matches this filter.}}',
          { count: known - cleared },
        )}
      </Empty>
    );
  }
  if (cleared > 0) {
    return (
      <Empty
        icon={<List size={24} />}
        title={t('List cleared')}
        actions={
          <Button size="large" onClick={() => log.showCleared()}>
            {t('Show cleared')}
          </Button>
        }
      >
        {t('New requests show up here. History keeps {cleared} older ones.', { cleared: grouped(cleared) })}
      </Empty>
    );
  }
  if (account.kind !== 'signed-in' && reach.kind === 'directly') {
    return (
      <Empty
        icon={<Key size={24} />}
        title={t('Sign in to start')}
        actions={
          <Button size="large" look="primary" onClick={() => go({ place: 'sign-in' })}>
            {t('Sign in')}
          </Button>
        }
      >
        {t('Jumpseat needs a GitHub account with Copilot.')}
      </Empty>
    );
  }
  const { setProxy, copyLines } = actions;
  if (proxy.kind !== 'on' && proxy.kind !== 'starting') {
    return (
      <Empty
        icon={<Pause size={24} />}
        title={t('The proxy is off')}
        actions={
          setProxy !== null && (
            <Button size="large" look="primary" onClick={() => void setProxy(true)}>
              {t('Turn proxy on')}
            </Button>
          )
        }
      >
        {t('Turn it on to let Claude Code reach Copilot.')}
      </Empty>
    );
  }
  return <NoRequestsYet copyLines={copyLines} />;
}

/** The setup is offered where it is open and possible; else the lines for a shell, or nothing but to start. */
function NoRequestsYet({ copyLines }: { copyLines: (() => void) | null }) {
  const { look } = useSetupPlan('setup');
  const setUpIn = look.kind === 'plan' && look.plan.isSetUp ? look.plan.shown : null;
  const copy = (look_: 'primary' | 'plain') =>
    copyLines !== null && (
      <Button size="large" look={look_} onClick={copyLines}>
        {t('Copy lines for the shell')}
      </Button>
    );
  return (
    <Empty
      icon={<List size={24} />}
      title={t('No requests yet')}
      actions={
        look.kind === 'failed' ? (
          copy('primary')
        ) : (
          <>
            {look.kind === 'plan' && setUpIn === null && (
              <Button size="large" look="primary" onClick={() => go({ place: 'welcome' })}>
                {t('Set up Claude Code…')}
              </Button>
            )}
            {copy('plain')}
          </>
        )
      }
    >
      {t('The proxy is on and waiting.')}{' '}
      {setUpIn === null
        ? t('Point Claude Code at it and send a prompt; every request shows up here as it happens.')
        : t('Claude Code is set up in {file}: start claude and send a prompt.', { file: setUpIn })}
    </Empty>
  );
}

/** Grey placeholder rows, shown only if the first answer takes longer than a moment. */
export function GreyRows() {
  return (
    <div className={css('grey-rows')} aria-hidden="true">
      {[62, 48, 55, 40, 58, 44, 52, 46].map((width, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they never change.
        <div key={index}>
          <span style={{ width: '52px' }} />
          <span style={{ width: '28px' }} />
          <span style={{ width: '120px' }} />
          <span style={{ width: `${width}%` }} />
        </div>
      ))}
    </div>
  );
}

/** Troubles of the history that are over: read once, they can be put away. */
const past: ReadonlySet<string> = new Set(['history-newer', 'history-damaged', 'history-gone']);

/** Above the list: rows that are shown but not kept, or a history that began anew. */
export function HistoryNotice() {
  const { store } = useServices();
  const { warnings } = useApp();
  const { openFolder } = useActions();
  const dismissed = useWindow((state) => state.dismissed);
  const problem = warnings.find(({ code, text }) => code.startsWith('history-') && !dismissed.has(text));
  if (problem === undefined) return null;
  return (
    <div className={css('list-notice', 'small', 'in-row')} role="status">
      <span className={css('list-notice-sign')}>
        <Warning size={16} />
      </span>
      <p>
        {problem.text} {problem.remedy}
      </p>
      {!past.has(problem.code) && openFolder !== null && (
        <Button onClick={() => openFolder('home')}>{t('Open folder')}</Button>
      )}
      {past.has(problem.code) && (
        <IconButton label={t('Dismiss')} icon={<Close size={16} />} onClick={() => dismiss(store, problem.text)} />
      )}
    </div>
  );
}

const spokenEveryMs = 10_000;

/** Announces new rows in one sentence now and then, and only while the list follows them. */
export function useSpokenNews(following: boolean): void {
  const { log, store } = useServices();
  useEffect(() => {
    if (!following) return;
    let before = log.view();
    const timer = setInterval(() => {
      const now = log.view();
      const fresh = now.counts.all - before.counts.all;
      const errors = now.counts.errors - before.counts.errors;
      const same = now.arrangement === before.arrangement && store.getState().history === 'whole';
      before = now;
      if (fresh <= 0 || !same) return;
      announce(
        store,
        errors > 0
          ? t(
              '{fresh, plural, one {# new request} other {# new requests}}, {errors, plural, one {# error} other {# errors}}',
              { fresh, errors },
            )
          : t('{fresh, plural, one {# new request} other {# new requests}}', { fresh }),
      );
    }, spokenEveryMs);
    return () => clearInterval(timer);
  }, [following, log, store]);
}
