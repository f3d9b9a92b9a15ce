import classNames from 'classnames/bind';
import { t, translated } from '../../app/language/translate.ts';
import { grouped, share } from '../../app/words/numbers.ts';
import { ago, clockTime, dayAndTime, firstTokenBasis, firstTokenTime, hourAndMinute } from '../../app/words/times.ts';
import { useSecond } from '../parts/now.ts';
import type { Pace } from '../state/health-checks.ts';
import { useApp } from '../state/services.ts';
import styles from './health.module.css';

const css = classNames.bind(styles);

/** The pulse in four figures: last success, how fast, how often it fails, how long the token holds. */
export function Figures({ pace }: { pace: Pace | null }) {
  const { health, account, reach } = useApp();
  const now = useSecond();
  const last = health.lastSuccessAt ?? pace?.lastSuccessAt ?? null;
  const token = account.kind === 'signed-in' ? account.token : null;
  const basis = basisOf(pace);
  return (
    <dl className={css('figures-box', 'framed')}>
      <Figure
        name={t('Last success')}
        value={last === null ? '–' : (ago(last, now) ?? clockTime(last))}
        more={last === null ? t('No request worked yet') : dayAndTime(last)}
      />
      <Figure
        name={t('First token')}
        title={translated(firstTokenBasis)}
        value={pace?.firstToken ? firstTokenTime(pace.firstToken.median) : '–'}
        more={pace?.firstToken ? t('1 in 10 over {slow}', { slow: firstTokenTime(pace.firstToken.slow) }) : basis}
      />
      <Figure
        name={t('Errors')}
        value={pace === null || pace.requests === 0 ? '–' : share(pace.failed / pace.requests)}
        more={pace === null || pace.failed === 0 ? basis : failedOf(pace)}
      />
      {reach.kind === 'directly' && (
        <Figure
          name={t('Copilot token')}
          value={token === null ? '–' : timeLeft(token.usableUntil, now)}
          more={token === null ? t('None yet') : renewalWords(token)}
        />
      )}
    </dl>
  );
}

/** Requests that are counted: `Last 3 requests, without 1 that its client left`. */
function basisOf(pace: Pace | null): string {
  if (pace === null || pace.requests + pace.left === 0) return t('No request yet');
  const { requests, left } = pace;
  if (requests === 0)
    return t('No request yet, without {left, plural, one {# that its client} other {# that clients}} left', { left });
  if (left === 0) return t('{requests, plural, one {Last request} other {Last # requests}}', { requests });
  return t(
    '{requests, plural, one {Last request} other {Last # requests}}, without {left, plural, one {# that its client} other {# that clients}} left',
    { requests, left },
  );
}

/** How many of them failed: `1 of the last 3 requests`. */
function failedOf({ requests, left, failed }: Pace): string {
  if (left === 0)
    return t('{failed} of the {requests, plural, one {last request} other {last # requests}}', {
      failed: grouped(failed),
      requests,
    });
  return t(
    '{failed} of the {requests, plural, one {last request} other {last # requests}}, without {left, plural, one {# that its client} other {# that clients}} left',
    { failed: grouped(failed), requests, left },
  );
}

function Figure({ name, value, more, title }: { name: string; value: string; more: string; title?: string }) {
  return (
    <div title={title}>
      <dt className="small">{name}</dt>
      <dd className="figure figures">{value}</dd>
      <dd className="muted small figures">{more}</dd>
    </div>
  );
}

function timeLeft(until: number | null, now: number): string {
  if (until === null) return t('No end');
  return until <= now ? t('Renewing') : t('{minutes} min', { minutes: Math.ceil((until - now) / 60_000) });
}

/** When the token was renewed, and when it is next. */
function renewalWords({ mintedAt, usableUntil }: { mintedAt: number; usableUntil: number | null }): string {
  const renewed = hourAndMinute(mintedAt);
  if (usableUntil === null) return t('Renewed {renewed}, next when Copilot refuses it', { renewed });
  return t('Renewed {renewed}, next {next}', { renewed, next: hourAndMinute(usableUntil) });
}
