import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openHistory } from '../../../app/history/history.ts';
import { KeptDays } from '../../../app/history/retention.ts';
import { SettingsStore } from '../../../app/settings/settings.ts';
import { soon } from '../../soon.ts';
import { exampleExchange } from './example.ts';
import { collectingLog, fakeClock, temporaryFolder } from './surroundings.ts';

const day = 24 * 60 * 60 * 1000;
const today = 1_795_000_000_000;

/** Requests of so many days ago, kept for 90 days. */
function opened(days: readonly number[]) {
  const folder = temporaryFolder();
  const log = collectingLog();
  const { history, sums } = openHistory(join(folder, 'history.db'), { clock: fakeClock(today), log });
  for (const ago of days) history.record(exampleExchange({ id: `${ago}`, startedAt: today - ago * day }));
  let now = today;
  const settings = SettingsStore.open(join(folder, 'settings.json'), log).store;
  const keptDays = new KeptDays({ sums, settings, clock: { now: () => now }, readOnly: false });
  return {
    history,
    keptDays,
    setClock: (at: number) => {
      now = at;
    },
    ids: () => history.recent({ limit: 100 }).map(({ id }) => id),
  };
}

it('what is older than the settings keep goes, at a start and once a day', async () => {
  const { history, keptDays, setClock, ids } = opened([91, 90.5, 89.5, 2, 0]);
  keptDays.prune();
  await soon(() => expect(ids()).toEqual(['89.5', '2', '0']));
  setClock(today + day - 1);
  keptDays.pruneDaily();
  expect(ids()).toEqual(['89.5', '2', '0']);
  setClock(today + day + 1);
  keptDays.pruneDaily();
  await soon(() => expect(ids()).toEqual(['2', '0']));
  history.close();
});

it('a clock that jumps far ahead takes no history, and once it is right again old rows go as ever', async () => {
  const { history, keptDays, setClock, ids } = opened([80, 2, 0]);
  keptDays.prune();
  const year2090 = Date.UTC(2090, 0);
  setClock(year2090);
  // A request ends while the clock is wrong.
  history.record(exampleExchange({ id: 'of 2090', startedAt: year2090 - 5_000 }));
  keptDays.pruneDaily();
  keptDays.prune();
  expect(ids()).toEqual(['80', '2', '0', 'of 2090']);
  setClock(today + 11 * day);
  keptDays.pruneDaily();
  await soon(() => expect(ids()).toEqual(['2', '0', 'of 2090']));
  history.close();
});

it('after a pause longer than that, old rows go on the day after the first request', async () => {
  const { history, keptDays, setClock, ids } = opened([3, 0]);
  const back = today + 200 * day;
  setClock(back);
  history.record(exampleExchange({ id: 'back', startedAt: back }));
  keptDays.prune();
  expect(ids()).toEqual(['3', '0', 'back']);
  setClock(back + day + 1);
  keptDays.pruneDaily();
  await soon(() => expect(ids()).toEqual(['back']));
  history.close();
});
