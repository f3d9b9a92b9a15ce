import classNames from 'classnames/bind';
import { useMemo, useState } from 'react';
import type { CacheMiss, CacheSavings, FolderSums, TotalsRow } from '../../app/api/history.ts';
import { t, translated } from '../../app/language/translate.ts';
import type { World } from '../../app/words/exchange-cells.ts';
import { grouped } from '../../app/words/numbers.ts';
import { resetOf } from '../../app/words/quota.ts';
import { folderName, isSessionLabel } from '../../app/words/sessions.ts';
import { amountWords, beforeAccounts, purposeOf, restOf, worldChange } from '../../app/words/usage.ts';
import { Segmented } from '../parts/choices.tsx';
import { Chart, Info } from '../parts/icons.tsx';
import { rich } from '../parts/rich.tsx';
import { Empty } from '../parts/view-frame.tsx';
import { writeTerm } from '../state/log/filter/language.ts';
import { keep, recall } from '../state/preferences.ts';
import { go } from '../state/routes.ts';
import { useApp } from '../state/services.ts';
import { Amounts } from './cards.tsx';
import { Conversations } from './conversations.tsx';
import { Figures, Limits, OwnLimits, type Sums } from './figures.tsx';
import { type Period, sinceQuery, slotQuery, slotsOf, slotTitle } from './period.ts';
import { Searches } from './searches.tsx';
import { type MeasureName, measures, SplitChart, Swatch } from './split-chart.tsx';
import { SplitTable } from './split-table.tsx';
import { Tokens } from './tokens.tsx';
import styles from './usage.module.css';

const css = classNames.bind(styles);

export interface Totals {
  /** For which it was asked: the answer to an older question is drawn in its own period. */
  period: Period;
  times: TotalsRow[];
  models: TotalsRow[];
  clients: TotalsRow[];
  /** Empty where there is one. */
  accounts: TotalsRow[];
  purposes: TotalsRow[];
  savings: CacheSavings;
  misses: CacheMiss[];
  folders: FolderSums[];
}

const formKey = 'jumpseat.usage.form';
const measureKey = 'jumpseat.usage.measure';
const measureNames = Object.keys(measures) as MeasureName[];

export function Known({ totals, world, now }: { totals: Totals; world: World; now: number }) {
  const app = useApp();
  const [form, setForm] = useState<'chart' | 'table'>(() => (recall(formKey) === 'table' ? 'table' : 'chart'));
  const [chosen, setMeasure] = useState<MeasureName>(
    () => measureNames.find((name) => name === recall(measureKey)) ?? 'credits',
  );
  // A plan that is billed by requests has no credits to show.
  const offered = world === 'premium' ? measureNames.filter((name) => name !== 'credits') : measureNames;
  const name = offered.includes(chosen) ? chosen : 'requests';
  const measure = measures[name];
  const { period, times, models, clients, accounts, purposes, savings, misses, folders } = totals;
  const unit = world === 'premium' ? 'premium' : 'credits';
  const slots = useMemo(() => slotsOf(period, times), [period, times]);
  const sums = sumOf(clients);
  /** What a row counts, and nothing from before. */
  const within = (query: string): string => `${query} ${sinceQuery(period)}`;
  const change = worldChange(times);
  const changeSlot = change === null ? undefined : slots.find(({ key }) => key === change.key);
  const changedOn = changeSlot === undefined ? '' : slotTitle(changeSlot, period.unit);
  const { neither, noCharge } = restOf(sums);
  const split = [
    t('{user} user, {agent} agent', { user: grouped(sums.user), agent: grouped(sums.agent) }),
    ...(neither > 0 ? [t('{neither} neither: web searches', { neither: grouped(neither) })] : []),
    // What makes the counts add up to all requests.
    ...(noCharge > 0
      ? [t('{noCharge} without a charge: refused, failed, not sent or not billed', { noCharge: grouped(noCharge) })]
      : []),
  ].join(' · ');
  const earlier =
    change === null
      ? null
      : change.before === 'premium'
        ? t('{amount} before {changedOn}, estimated', { amount: amountWords(change.before, sums), changedOn })
        : t('{amount} before {changedOn}', { amount: amountWords(change.before, sums), changedOn });

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
      <OwnLimits app={app} now={now} />
      {sums.requests === 0 ? (
        <section className={css('usage-card', 'nothing')}>
          <Empty icon={<Chart size={24} />} title={t('Nothing in this period')}>
            {t('The first request shows up here.')}
          </Empty>
        </section>
      ) : (
        <section className={css('usage-card')} aria-labelledby="usage-split">
          <div className={css('card-head', 'in-row')}>
            <h2 id="usage-split">{translated(measure.title)}</h2>
            <span className="muted small">{split}</span>
            <div className={css('chart-tools', 'in-row')}>
              <ul className={css('legend', 'muted')} aria-label={t('Legend')}>
                {measure.parts.map(({ fill, label }) => (
                  <li key={fill}>
                    <Swatch kind={fill} />
                    {translated(label)}
                  </li>
                ))}
              </ul>
              <Segmented
                label={t('Measure')}
                segments={offered.map((one) => ({ name: one, label: translated(measures[one].label) }))}
                chosen={name}
                choose={(next) => {
                  setMeasure(next);
                  keep(measureKey, next);
                }}
              />
              <Segmented
                label={t('Form')}
                segments={[
                  { name: 'chart', label: t('Chart') },
                  { name: 'table', label: t('Table') },
                ]}
                chosen={form}
                choose={(next) => {
                  setForm(next);
                  keep(formKey, next);
                }}
              />
            </div>
          </div>
          {form === 'table' ? (
            <SplitTable measure={name} period={period} slots={slots} />
          ) : (
            <SplitChart
              measure={measure}
              period={period}
              slots={slots}
              sentence={chartSentence(measure, period.unit, times)}
              change={
                changeSlot === undefined
                  ? null
                  : { key: changeSlot.key, text: t('Billing changed on {changedOn}', { changedOn }) }
              }
              now={now}
              open={(slot) => go({ place: 'requests', query: slotQuery(slot, period.unit) })}
            />
          )}
        </section>
      )}
      <div className={css('usage-cards')}>
        {models.length > 0 && (
          <Amounts
            title={t('{unit, select, premium {Premium requests} other {Credits}} by model', { unit })}
            of={t('Model')}
            rows={models}
            world={world}
            query={(key) => within(writeTerm('model', key))}
          />
        )}
        <Limits app={app} now={now} />
        {clients.length > 0 && (
          <Amounts
            title={t('{unit, select, premium {Premium requests} other {Credits}} by client', { unit })}
            of={t('Client')}
            rows={sessionsAsOne(clients)}
            world={world}
            name={(client) => (client === ownSessions ? t('Sessions in Jumpseat') : client)}
            query={(client) => within(client === ownSessions ? ownSessions : writeTerm('client', client))}
          />
        )}
        {purposes.length > 1 && (
          <Amounts
            title={t('{unit, select, premium {Premium requests} other {Credits}} by purpose', { unit })}
            of={t('Purpose')}
            rows={purposes}
            world={world}
            name={(key) => purposeOf(key).name}
            query={(key) => within(purposeOf(key).query)}
          />
        )}
        {folders.some(({ folder }) => folder !== null) && (
          <Amounts
            title={t('{unit, select, premium {Premium requests} other {Credits}} by folder', { unit })}
            of={t('Folder')}
            rows={folders.map(({ folder, ...sums }) => ({ ...sums, key: folder ?? '' }))}
            world={world}
            name={(folder) => nameAmong(folders, folder)}
            none={t('No folder, or not known')}
            query={(folder) => within(writeTerm('folder', folder === '' ? 'none' : `=${folder}`))}
            emptyQuery
          />
        )}
        {accounts.length > 0 && (
          <Amounts
            title={t('{unit, select, premium {Premium requests} other {Credits}} by account', { unit })}
            of={t('Account')}
            rows={accounts}
            world={world}
            none={translated(beforeAccounts)}
            query={(key) => within(writeTerm('account', key))}
          />
        )}
        {clients.length > 0 && <Tokens tokens={tokensOf(clients)} savings={savings} misses={misses} />}
      </div>
      <Searches since={period.from} />
      <Conversations since={period.from} misses={misses} world={world} now={now} />
      {world === 'premium' && clients.length > 0 && (
        <p className="muted small">
          {t(
            'Premium requests by model, client and session are estimated by Jumpseat. GitHub’s own figure is at the top.',
          )}
        </p>
      )}
    </>
  );
}

export function WorldNotKnown() {
  return (
    <div className={css('banner', 'usage-banner')}>
      <Info size={16} />
      <p>
        {rich('<b>Jumpseat doesn’t know how your plan is billed.</b> Amounts are shown where Copilot reported them.', {
          b: (inside) => <b>{inside}</b>,
        })}
      </p>
    </div>
  );
}

export function GreyBlocks() {
  return (
    <div className={css('grey-blocks')} aria-busy="true">
      <span className="sr">{t('Reading the totals…')}</span>
      <div />
      <div />
      <div />
    </div>
  );
}

/** What the chart shows, for who cannot see it. */
function chartSentence(
  { label, parts, words }: (typeof measures)[MeasureName],
  unit: Period['unit'],
  rows: readonly TotalsRow[],
): string {
  const amounts = parts.map(
    (part) => `${words(rows.reduce((all, row) => all + part.of(row), 0))} ${translated(part.inSentence)}`,
  );
  return t(
    '{measure} by {unit, select, hour {hour} day {day} other {month}}: {amounts}. The same numbers are in the table.',
    { measure: translated(label), unit, amounts: amounts.join(', ') },
  );
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

/** The whole path where another folder is called the same. */
function nameAmong(folders: readonly FolderSums[], folder: string): string {
  const name = folderName(folder);
  return folders.filter((one) => one.folder !== null && folderName(one.folder) === name).length > 1 ? folder : name;
}

/** Filter of all hosted sessions, which count as one client. */
const ownSessions = 'is:session';

function sessionsAsOne(clients: readonly TotalsRow[]): (Sums & { key: string })[] {
  const own = clients.filter(({ key }) => isSessionLabel(key));
  const others = clients.filter(({ key }) => !isSessionLabel(key));
  return own.length === 0 ? others : [...others, { key: ownSessions, ...sumOf(own) }];
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
