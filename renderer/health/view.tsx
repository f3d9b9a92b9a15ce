import classNames from 'classnames/bind';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import type { Check } from '../../app/api/state.ts';
import { inEnglish } from '../../app/language/language.ts';
import { t, translated } from '../../app/language/translate.ts';
import {
  checkGroups,
  isFailed,
  needsAttention,
  reportLines,
  verdictSentence,
  verdictSummary,
} from '../../app/words/checks.ts';
import { Button } from '../parts/button.tsx';
import { Copy, Failed, Ring } from '../parts/icons.tsx';
import { Empty, ViewHead } from '../parts/view-frame.tsx';
import { callFailure } from '../state/asked.ts';
import { copyText } from '../state/copy-text.ts';
import { announce, toast } from '../state/notices.ts';
import { type Services, useServices } from '../state/services.ts';
import { showSetup } from '../state/setup-plan.ts';
import { CheckRow } from './check-row.tsx';
import { Figures } from './figures.tsx';
import styles from './health.module.css';
import type { ShowSetup } from './remedies.ts';

const css = classNames.bind(styles);

const everyMs = 5 * 60_000;

/** Whether Claude Code would work now, and what fixes what does not. */
export function HealthView() {
  const services = useServices();
  const { health, store } = services;
  const { checks, checkedAt, checking, failure, pace } = useStore(health.store);

  useEffect(() => {
    const look = (): void => void health.checkAll();
    const { checkedAt: last, lookedAt } = health.store.getState();
    // What was found before a request says less than that.
    const { lastSuccessAt, lastFailure } = store.getState().app?.health ?? {};
    const ended = Math.max(lastSuccessAt ?? 0, lastFailure?.at ?? 0);
    if (last === null || Date.now() - last > everyMs || ended >= lookedAt) look();
    const timer = setInterval(look, everyMs);
    return () => clearInterval(timer);
  }, [health, store]);

  const sentence = checks === null ? null : verdictSentence(checks);
  useEffect(() => {
    if (sentence !== null) announce(store, sentence);
  }, [sentence, store]);

  const head = (
    <ViewHead title={t('Health')}>
      <Button icon={<Copy size={16} />} disabled={checks === null} onClick={() => void copyReport(services)}>
        {t('Copy report')}
      </Button>
      <Button disabled={checking} onClick={() => void health.checkAll()}>
        {checking ? t('Checking…') : t('Check again')}
      </Button>
    </ViewHead>
  );
  if (checks === null && failure !== null) {
    return (
      <>
        {head}
        <Empty
          icon={<Failed size={24} />}
          title={t('The checks couldn’t be run')}
          actions={
            <Button size="large" onClick={() => void health.checkAll()}>
              {t('Try again')}
            </Button>
          }
        >
          {failure}
        </Empty>
      </>
    );
  }
  return (
    <>
      {head}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard. */}
      <section className="view-scroll" tabIndex={0} aria-label={t('Checks')} aria-busy={checking}>
        {checks === null ? (
          <p className={css('verdict')}>
            <Ring size={16} /> <b>{t('Checking…')}</b>
          </p>
        ) : (
          <>
            <p className={css('verdict')}>
              <b>{sentence}</b>
              <span className="muted small figures">{verdictSummary(checks, checkedAt ?? Date.now())}</span>
            </p>
            <Figures pace={pace} />
            <Groups checks={checks} showSetup={(choices) => showSetup(store, 'setup', choices)} />
          </>
        )}
      </section>
    </>
  );
}

async function copyReport({ health, store }: Services): Promise<void> {
  const { app } = store.getState();
  const about = `Jumpseat ${app?.version ?? 'unknown'} · ${navigator.userAgent}`;
  try {
    const found = await health.inEnglish();
    const ofOthers = withoutLogin(found, app?.account.kind === 'signed-in' ? app.account.login : null);
    const at = health.store.getState().checkedAt ?? Date.now();
    await copyText(store, `${[about, ...inEnglish(() => reportLines(ofOthers, at))].join('\n')}\n`);
  } catch (error) {
    toast(store, callFailure(error).text, { kind: 'failed' });
  }
}

/** A report is pasted where others read it. */
function withoutLogin(checks: readonly Check[], login: string | null): Check[] {
  return checks.map((check) =>
    login !== null && check.id === 'account.signed-in'
      ? { ...check, finding: check.finding.replace(login, 'yes') }
      : check,
  );
}

/** What needs attention first, failures before warnings; the rest by group. */
function Groups({ checks, showSetup }: { checks: readonly Check[]; showSetup: ShowSetup }) {
  const attention = checks
    .filter(needsAttention)
    .sort((left, right) => Number(isFailed(right)) - Number(isFailed(left)));
  return (
    <>
      {attention.length > 0 && <Group name={t('Needs attention')} checks={attention} showSetup={showSetup} />}
      {checkGroups.map(({ group, name }) => (
        <Group
          key={group}
          name={translated(name)}
          checks={checks.filter((check) => check.group === group && !needsAttention(check))}
          showSetup={showSetup}
        />
      ))}
    </>
  );
}

function Group({ name, checks, showSetup }: { name: string; checks: readonly Check[]; showSetup: ShowSetup }) {
  if (checks.length === 0) return null;
  return (
    <section className={css('group', 'framed')} aria-label={name}>
      <h2>{name}</h2>
      <ul>
        {checks.map((check) => (
          <CheckRow key={check.id} check={check} showSetup={showSetup} />
        ))}
      </ul>
    </section>
  );
}
