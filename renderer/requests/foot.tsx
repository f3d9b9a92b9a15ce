import classNames from 'classnames/bind';
import type { ReactElement } from 'react';
import { sentences } from '../../app/language/sentences.ts';
import { t } from '../../app/language/translate.ts';
import type { World } from '../../app/words/exchange-cells.ts';
import { creditsOf, grouped, premiumRequests } from '../../app/words/numbers.ts';
import { failedProxyWords } from '../../app/words/status.ts';
import { ArrowDown, Pause, RecordRing } from '../parts/icons.tsx';
import { rich } from '../parts/rich.tsx';
import { writeRoute } from '../state/routes.ts';
import { useApp, useLog, useWindow } from '../state/services.ts';
import styles from './requests.module.css';

const css = classNames.bind(styles);

const privacy = writeRoute({ place: 'settings', part: 'privacy', query: '' });

const b = (inside: ReactElement): ReactElement => <b className="figures">{inside}</b>;

/** Sums of the shown rows once there are any, and the list's position. */
export function Foot({ world, following }: { world: World; following: boolean }) {
  const { recording } = useApp();
  const isRead = useWindow(({ history }) => history !== 'first');
  return (
    <footer className="list-foot">
      {isRead && <Sums world={world} />}
      {recording.on && (
        <a className={css('recording', 'in-row')} href={privacy} title={t('Turn it off in Settings → Privacy')}>
          <RecordRing /> {t('Recording bodies')}
        </a>
      )}
      <ListStatus following={following} />
    </footer>
  );
}

function Sums({ world }: { world: World }) {
  const { sums, known, cleared } = useLog();
  const all = known - cleared;
  const ofList = t(
    'Only the requests in this list are counted. Usage has the sums of a day, a week and a billing cycle.',
  );
  const counted = t('Requests without a charge are not among them.');
  return (
    <>
      <span>
        {sums.requests === all
          ? rich('{count, plural, one {<b>#</b> request} other {<b>#</b> requests}}', { count: all, b })
          : rich('<b>{count}</b> of {all, plural, one {# request} other {# requests}}', {
              count: grouped(sums.requests),
              all,
              b,
            })}
      </span>
      <span className={css('wide')} title={counted}>
        {rich('<b>{count}</b> user', { count: grouped(sums.user), b })}
      </span>
      <span className={css('wide')} title={counted}>
        {rich('<b>{count}</b> agent', { count: grouped(sums.agent), b })}
      </span>
      {sums.neither > 0 && (
        <span className={css('wide')} title={t('Web searches')}>
          {rich('<b>{count}</b> neither', { count: grouped(sums.neither), b })}
        </span>
      )}
      {sums.noCharge > 0 && (
        <span className={css('wide')} title={t('Refused, failed, not sent or not billed')}>
          {rich('<b>{count}</b> without a charge', { count: grouped(sums.noCharge), b })}
        </span>
      )}
      {world === 'premium' ? (
        <span title={ofList}>
          {rich('<b>{amount}</b> premium requests', { amount: premiumRequests(sums.premium), b })}
        </span>
      ) : (
        <span title={sentences(ofList, t('The sum of the exact charges. Each row is rounded by itself.'))}>
          {rich('<b>{amount}</b> credits', { amount: creditsOf(sums.nanoAiu), b })}
        </span>
      )}
      {sums.unknown > 0 && (
        <span title={t('Copilot reported no charge for them.')}>
          {rich('<b>{count}</b> unknown, not included', { count: grouped(sums.unknown), b })}
        </span>
      )}
    </>
  );
}

function ListStatus({ following }: { following: boolean }) {
  const { paused, waiting, known } = useLog();
  const { proxy } = useApp();
  const lost = useWindow(({ connection }) => connection.kind === 'lost');
  const history = useWindow((state) => state.history);
  if (lost) return <span className={css('list-status', 'in-row')}>{t('Connection lost')}</span>;
  if (paused) {
    return (
      <span className={css('list-status', 'in-row')}>
        <Pause size={14} /> {waiting > 0 ? t('Paused, {count} waiting', { count: grouped(waiting) }) : t('Paused')}
      </span>
    );
  }
  if (proxy.kind === 'failed') return <span className={css('list-status', 'in-row')}>{failedProxyWords(proxy)}</span>;
  if (proxy.kind === 'off') {
    return (
      <span className={css('list-status', 'in-row')}>
        <Pause size={14} /> {t('Proxy off')}
      </span>
    );
  }
  if (history === 'whole' && known === 0)
    return <span className={css('list-status', 'in-row')}>{t('Waiting for requests')}</span>;
  if (history !== 'whole') return <span className={css('list-status', 'in-row')}>{t('Reading the history…')}</span>;
  if (!following) return null;
  return (
    <span className={css('list-status', 'following', 'in-row')}>
      <ArrowDown size={14} /> {t('Following new requests')}
    </span>
  );
}
