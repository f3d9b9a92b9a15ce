import { expect, it } from 'vitest';
import type { Account } from '../../../app/account/account.ts';
import { nodeClock } from '../../../app/adapters/clock.ts';
import { QuotaWatch } from '../../../app/health/last-ends.ts';
import { HandClock } from '../../main/hand-clock.ts';
import { until } from '../../soon.ts';
import { prompt, startStack } from '../stack.ts';

const second = 1_000;
const minute = 60 * second;

function watched(way: 'vscode' | 'copilot-sdk') {
  const clock = new HandClock();
  const readAt: number[] = [];
  const account: Pick<Account, 'admission' | 'readUser'> = {
    admission: () => ({ way }) as ReturnType<Account['admission']>,
    readUser: () => {
      readAt.push(clock.now() / second);
      return Promise.resolve();
    },
  };
  const watch = new QuotaWatch(account, clock);
  const endedAt = async (...at: number[]): Promise<void> => {
    for (const seconds of at) {
      await clock.to(seconds * second);
      watch.requestEnded();
    }
  };
  return { clock, readAt, watch, endedAt };
}

it('reads the quota once after the last request of a burst, and never again without a request', async () => {
  const { clock, readAt, endedAt } = watched('vscode');
  await endedAt(100, 101, 102);
  await clock.to(60 * minute);
  expect(readAt).toEqual([105]);
});

it('reads it a minute after the first of a burst that goes on, and 15 seconds after a reading at the soonest', async () => {
  const { clock, readAt, endedAt } = watched('vscode');
  await endedAt(...Array.from({ length: 71 }, (_, index) => 100 + index));
  await endedAt(178);
  await clock.to(60 * minute);
  expect(readAt).toEqual([160, 175, 190]);
});

it('starts GitHub’s runtime for it every five minutes at most', async () => {
  const { clock, readAt, endedAt } = watched('copilot-sdk');
  await endedAt(100, 200, 310, 320);
  await clock.to(60 * minute);
  expect(readAt).toEqual([300, 600]);
});

it('reads nothing after it was closed', async () => {
  const { clock, readAt, watch, endedAt } = watched('vscode');
  await endedAt(100);
  watch.close();
  await clock.to(60 * minute);
  expect(readAt).toEqual([]);
});

it('what is left is the exact figure of GitHub soon after requests, asked for once', async () => {
  const real = nodeClock();
  const clock = {
    ...real,
    ticks: () => real.ticks() * 5,
    sleep: (ms: number, signal?: AbortSignal) => real.sleep(ms / 5, signal),
  };
  const stack = await startStack({ ports: { clock } });
  try {
    const { simulator, app } = stack;
    const reads = () => simulator.githubRequests.filter(({ path }) => path === '/copilot_internal/user').length;
    // The token brings a figure too, before the first reading.
    await until(() => reads() > 0 && app.state().quota);
    const before = reads();
    const whole = app.state().quota?.remaining ?? 0;
    for (const words of ['one', 'two', 'three']) await stack.messages(prompt(words));
    const rows = await stack.rows(3);
    const own = rows.reduce((sum, { charge }) => sum + (charge.nanoAiu ?? 0) / 1e9, 0);
    expect(own).toBeGreaterThan(0);
    await until(
      () => Math.abs(whole - (app.state().quota?.remaining ?? 0) - own) < 0.06,
      () => app.state().quota,
    );
    expect(reads()).toBe(before + 1);
  } finally {
    await stack.close();
  }
});
