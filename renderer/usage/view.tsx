import classNames from 'classnames/bind';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { t, translated } from '../../app/language/translate.ts';
import type { World } from '../../app/words/exchange-cells.ts';
import { resetOf } from '../../app/words/quota.ts';
import { toUsageCsv } from '../../app/words/usage.ts';
import { type Bridge, BridgeError } from '../bridge/bridge.ts';
import { Button } from '../parts/button.tsx';
import { Segmented } from '../parts/choices.tsx';
import { Export, Warning } from '../parts/icons.tsx';
import { exportName, saveFile } from '../parts/save-file.ts';
import { ViewHead } from '../parts/view-frame.tsx';
import { useAsked } from '../state/asked.ts';
import { useNews } from '../state/news.ts';
import { savesFile } from '../state/notices.ts';
import { keep, recall } from '../state/preferences.ts';
import { useApp, useServices } from '../state/services.ts';
import { GreyBlocks, Known, type Totals, WorldNotKnown } from './known-usage.tsx';
import { type Period, type PeriodName, periodNames, periodOf, periodTitles } from './period.ts';
import styles from './usage.module.css';

const css = classNames.bind(styles);

const periodKey = 'jumpseat.usage.period';

/** How much is gone, and on what. */
export function UsageView() {
  const { bridge, store } = useServices();
  const app = useApp();
  const now = useMinute();
  const [name, setName] = useState<PeriodName>(() => periodNames.find((one) => one === recall(periodKey)) ?? 'cycle');
  const resetsAt = resetOf(app.quota);
  const { from, to, unit } = periodOf(name, now, resetsAt);
  const period = useMemo<Period>(() => ({ name, from, to, unit }), [name, from, to, unit]);
  const several = app.accounts.length > 1;
  const ask = useCallback(() => readTotals(bridge, period, several), [bridge, period, several]);
  const { asked, again } = useAsked(ask);
  useNews(again);
  const world: World = app.quota?.world ?? 'unknown';
  const totals = asked.last;

  const choose = (next: PeriodName): void => {
    setName(next);
    keep(periodKey, next);
  };
  const exportCsv = (): void => {
    if (totals === null) return;
    const text = toUsageCsv([
      { by: totals.period.unit, rows: totals.times },
      { by: 'model', rows: totals.models },
      { by: 'client', rows: totals.clients },
      { by: 'account', rows: totals.accounts },
      { by: 'purpose', rows: totals.purposes },
      { by: 'folder', rows: totals.folders.map(({ folder, ...sums }) => ({ ...sums, key: folder ?? '' })) },
    ]);
    const file = exportName(new Date(), 'csv').replace('jumpseat-', 'jumpseat-usage-');
    saveFile(file, 'text/csv', text);
    savesFile({ bridge, store }, file);
  };

  return (
    <>
      <ViewHead title={t('Usage')}>
        <Segmented
          label={t('Period')}
          segments={periodNames.map((one) => ({ name: one, label: translated(periodTitles[one]) }))}
          chosen={name}
          choose={choose}
        />
        <Button icon={<Export size={14} />} disabled={totals === null || totals.times.length === 0} onClick={exportCsv}>
          {t('Export')}
        </Button>
      </ViewHead>
      <div className={css('view-scroll', 'usage')}>
        {app.account.kind === 'signed-in' && app.quota !== null && world === 'unknown' && <WorldNotKnown />}
        {asked.kind === 'failed' && (
          <div className={css('banner', 'red', 'usage-banner')} role="alert">
            <Warning size={16} />
            <p>
              <b>{t('The totals can’t be read.')}</b> {asked.text} {asked.remedy}
            </p>
            <Button onClick={() => void again()}>{t('Try again')}</Button>
          </div>
        )}
        {totals === null ? (
          asked.kind === 'loading' && <GreyBlocks />
        ) : (
          <Known totals={totals} world={world} now={now} />
        )}
      </div>
    </>
  );
}

async function readTotals(bridge: Bridge, period: Period, several: boolean): Promise<Totals> {
  const { totals, cacheSavings, cacheMisses, folders } = bridge;
  if (totals === null || cacheSavings === null || cacheMisses === null || folders === null) {
    throw new BridgeError({
      code: 'not-here',
      text: t('This page can’t ask for the totals.'),
      remedy: t('Open the window of the tray app.'),
    });
  }
  const [times, models, clients, accounts, purposes, savings, misses, ofFolders] = await Promise.all([
    totals(period.unit, period.from),
    totals('model', period.from),
    totals('client', period.from),
    several ? totals('account', period.from) : [],
    totals('purpose', period.from),
    cacheSavings(period.from),
    cacheMisses(period.from),
    folders(period.from),
  ]);
  return { period, times, models, clients, accounts, purposes, savings, misses, folders: ofFolders };
}

/** The time, drawn again once a minute: nothing here changes faster by itself. */
function useMinute(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 60_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
