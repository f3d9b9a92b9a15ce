import { useCallback, useEffect, useMemo, useState } from 'react';
import type { CacheSavings, TotalsRow } from '../../app/api/history.ts';
import type { World } from '../../app/words/exchange-cells.ts';
import { counted, grouped } from '../../app/words/numbers.ts';
import { resetOf } from '../../app/words/status.ts';
import { amountWords, worldChange } from '../../app/words/usage.ts';
import { type Bridge, BridgeError } from '../bridge.ts';
import { Button } from '../parts/button.tsx';
import { Empty } from '../parts/empty.tsx';
import { Chart, Export, Info, Warning } from '../parts/icons.tsx';
import { exportName, saveFile } from '../parts/save-file.ts';
import { Segmented } from '../parts/segmented.tsx';
import { ViewHead } from '../parts/view-head.tsx';
import { useAsked } from '../state/asked.ts';
import { writeTerm } from '../state/log/filter/language.ts';
import { go } from '../state/navigation.ts';
import { toast } from '../state/notices.ts';
import { keep, recall } from '../state/remembered.ts';
import { useApp, useServices } from '../state/services.ts';
import { Amounts } from './amounts.tsx';
import { Conversations } from './conversations.tsx';
import { Figures, type Sums } from './figures.tsx';
import { Limits } from './limits.tsx';
import { useNews } from './news.ts';
import {
  type Period,
  type PeriodName,
  periodNames,
  periodOf,
  periodTitles,
  slotQuery,
  slotsOf,
  slotTitle,
} from './period.ts';
import { Searches } from './searches.tsx';
import { SplitChart } from './split-chart.tsx';
import { SplitTable } from './split-table.tsx';
import { Swatch } from './swatch.tsx';
import { Tokens } from './tokens.tsx';
import { toUsageCsv } from './usage-csv.ts';

interface Totals {
  /** For which it was asked: the answer to an older question is drawn in its own period. */
  period: Period;
  times: TotalsRow[];
  models: TotalsRow[];
  clients: TotalsRow[];
  /** Empty where there is one. */
  accounts: TotalsRow[];
  savings: CacheSavings;
}

const formKey = 'jumpseat.usage.form';
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
    ]);
    saveFile(exportName(new Date(), 'csv').replace('jumpseat-', 'jumpseat-usage-'), 'text/csv', text);
    toast(store, `Exported the sums of ${counted(sumOf(totals.clients).requests, 'request')}.`);
  };

  return (
    <>
      <ViewHead title="Usage">
        <Segmented
          label="Period"
          segments={periodNames.map((one) => ({ name: one, label: periodTitles[one] }))}
          chosen={name}
          choose={choose}
        />
        <Button icon={<Export size={14} />} disabled={totals === null || totals.times.length === 0} onClick={exportCsv}>
          Export
        </Button>
      </ViewHead>
      <div className="view-scroll usage">
        {app.account.kind === 'signed-in' && app.quota !== null && world === 'unknown' && <WorldNotKnown />}
        {asked.kind === 'failed' && (
          <div className="banner red usage-banner" role="alert">
            <Warning size={16} />
            <p>
              <b>The totals can’t be read.</b> {asked.text} {asked.mend}
            </p>
            <Button onClick={() => void again()}>Try again</Button>
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

function Known({ totals, world, now }: { totals: Totals; world: World; now: number }) {
  const app = useApp();
  const [form, setForm] = useState<'chart' | 'table'>(() => (recall(formKey) === 'table' ? 'table' : 'chart'));
  const { period, times, models, clients, accounts, savings } = totals;
  const slots = useMemo(() => slotsOf(period, times), [period, times]);
  const sums = sumOf(clients);
  const charged = sums.billed + sums.free + sums.unknown;
  const change = worldChange(times);
  const changeSlot = change === null ? undefined : slots.find(({ key }) => key === change.key);
  const changedOn = changeSlot === undefined ? '' : slotTitle(changeSlot, period.unit);
  const split = `${grouped(sums.user)} user, ${grouped(sums.agent)} agent`;
  const earlier =
    change === null
      ? null
      : `${amountWords(change.before, sums)} before ${changedOn}${change.before === 'premium' ? ', estimated' : ''}`;

  return (
    <>
      <Figures
        app={app}
        now={now}
        sums={sums}
        world={world}
        comparable={period.name === 'cycle' && resetOf(app.quota) === period.to && change === null}
        earlier={earlier}
      />
      {charged === 0 && sums.requests === 0 ? (
        <section className="usage-card nothing">
          <Empty icon={<Chart size={24} />} title="Nothing in this period">
            The first request shows up here.
          </Empty>
        </section>
      ) : (
        <section className="usage-card" aria-labelledby="usage-split">
          <div className="card-head">
            <h2 id="usage-split">Billed and free requests</h2>
            <span className="muted small">{split}</span>
            <ul className="legend" aria-label="Legend">
              {(['billed', 'free', 'unknown'] as const).map((kind) => (
                <li key={kind}>
                  <Swatch kind={kind} />
                  {kind === 'billed' ? 'Billed' : kind === 'free' ? 'Free' : 'Unknown'}
                </li>
              ))}
            </ul>
            <Segmented
              label="Form"
              segments={[
                { name: 'chart', label: 'Chart' },
                { name: 'table', label: 'Table' },
              ]}
              chosen={form}
              choose={(next) => {
                setForm(next);
                keep(formKey, next);
              }}
            />
          </div>
          {form === 'table' ? (
            <SplitTable period={period} slots={slots} />
          ) : (
            <SplitChart
              period={period}
              slots={slots}
              sentence={chartSentence(period.unit, sums)}
              change={
                changeSlot === undefined ? null : { key: changeSlot.key, text: `Billing changed on ${changedOn}` }
              }
              now={now}
              open={(slot) => go({ place: 'requests', query: slotQuery(slot, period.unit) })}
            />
          )}
        </section>
      )}
      <div className="usage-cards">
        {models.length > 0 && (
          <Amounts
            title={world === 'premium' ? 'Premium requests by model' : 'Credits by model'}
            of="Model"
            rows={models}
            world={world}
            query={(key) => writeTerm('model', key)}
          />
        )}
        <Limits app={app} now={now} />
        {clients.length > 0 && (
          <Amounts
            title={world === 'premium' ? 'Premium requests by client' : 'Credits by client'}
            of="Client"
            rows={clients}
            world={world}
            query={(key) => writeTerm('client', key)}
          />
        )}
        {accounts.length > 0 && (
          <Amounts
            title={world === 'premium' ? 'Premium requests by account' : 'Credits by account'}
            of="Account"
            rows={accounts}
            world={world}
            none="With one account"
            query={(key) => writeTerm('account', key)}
          />
        )}
        {clients.length > 0 && <Tokens tokens={tokensOf(clients)} savings={savings} />}
      </div>
      <Searches since={period.from} />
      <Conversations since={period.from} world={world} now={now} />
      {world === 'premium' && clients.length > 0 && (
        <p className="muted small usage-note">
          Premium requests by model, client and session are estimated by Jumpseat. GitHub’s own figure stands on top.
        </p>
      )}
    </>
  );
}

async function readTotals(bridge: Bridge, period: Period, several: boolean): Promise<Totals> {
  const { totals, cacheSavings } = bridge;
  if (totals === null || cacheSavings === null) {
    throw new BridgeError({
      code: 'not-here',
      text: 'This page can’t ask for them.',
      mend: 'Open the window of the tray app.',
    });
  }
  const [times, models, clients, accounts, savings] = await Promise.all([
    totals(period.unit, period.from),
    totals('model', period.from),
    totals('client', period.from),
    several ? totals('account', period.from) : [],
    cacheSavings(period.from),
  ]);
  return { period, times, models, clients, accounts, savings };
}

function WorldNotKnown() {
  return (
    <div className="banner usage-banner">
      <Info size={16} />
      <p>
        <b>Jumpseat can’t tell how your plan is billed.</b> Amounts are shown where Copilot reported them.
      </p>
    </div>
  );
}

function GreyBlocks() {
  return (
    <div className="grey-blocks" aria-busy="true">
      <span className="sr">Reading the totals…</span>
      <div />
      <div />
      <div />
    </div>
  );
}

/** What the chart shows, for who cannot see it. */
function chartSentence(unit: Period['unit'], { billed, free, unknown }: Sums): string {
  const kinds = `${grouped(billed)} billed, ${grouped(free)} free, ${grouped(unknown)} unknown`;
  return `Requests by ${unit}: ${kinds}. The same numbers are in the table.`;
}

function sumOf(rows: readonly TotalsRow[]): Sums {
  const sum = (pick: (row: TotalsRow) => number): number => rows.reduce((all, row) => all + pick(row), 0);
  return {
    requests: sum(({ requests }) => requests),
    user: sum(({ user }) => user),
    agent: sum(({ agent }) => agent),
    billed: sum(({ billed }) => billed),
    free: sum(({ free }) => free),
    unknown: sum(({ unknown }) => unknown),
    nanoAiu: sum(({ nanoAiu }) => nanoAiu),
    premiumRequests: sum(({ premiumRequests }) => premiumRequests),
  };
}

function tokensOf(rows: readonly TotalsRow[]) {
  const sum = (pick: (row: TotalsRow) => number): number => rows.reduce((all, row) => all + pick(row), 0);
  return {
    input: sum(({ input }) => input),
    output: sum(({ output }) => output),
    cacheRead: sum(({ cacheRead }) => cacheRead),
    cacheWrite: sum(({ cacheWrite }) => cacheWrite),
  };
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
