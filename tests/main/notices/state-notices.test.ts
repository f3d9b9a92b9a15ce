import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { nodeClock } from '../../../app/adapters/clock.ts';
import type { AppState } from '../../../app/api/state.ts';
import { SettingsStore } from '../../../app/settings/settings.ts';
import { NotificationGate } from '../../../main/notices/notice.ts';
import { StateNotifier } from '../../../main/notices/state-notices.ts';
import { soon } from '../../soon.ts';
import { appState, firstOfDecember, quota, states } from '../app-state.ts';

let home: string;
let settings: SettingsStore;
const notifiers: StateNotifier[] = [];
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'jumpseat-notifier-'));
  settings = SettingsStore.open(join(home, 'settings.json'), { write: () => {} }).store;
});
afterEach(() => {
  for (const notifier of notifiers.splice(0)) notifier.close();
  settings.close();
  rmSync(home, { recursive: true, force: true });
});

function start(state: AppState = states.on) {
  const reported: string[] = [];
  const facts = { changes: 0 };
  const gate = new NotificationGate();
  const notifier = new StateNotifier({
    clock: nodeClock(),
    settings,
    state: () => state,
    notify: (notice) => {
      if (gate.lets(notice, { now: 0, inSight: false })) reported.push(notice.title);
    },
    over: (cause) => gate.forget(cause),
    changed: () => {
      facts.changes += 1;
    },
  });
  notifiers.push(notifier);
  return { notifier, reported, facts };
}

describe('over time', () => {
  it('what was so at the start is not told; what becomes so is', () => {
    const { notifier, reported } = start(states.exhausted);
    notifier.see(states.exhausted);
    notifier.see(states.on);
    notifier.see(states.weekly);
    notifier.updateReady('1.4.0');
    expect(reported).toEqual(['You’ve reached Copilot’s weekly limit', 'Jumpseat 1.4.0 is ready']);
  });

  it('a proxy that a broken policy stops is told each time, also within the hour', () => {
    const failed = { kind: 'failed', port: 4180, code: 'policy', reason: 'The policy.', remedy: '' } as const;
    const broken = appState({ proxy: failed });
    const { notifier, reported } = start();
    for (const state of [broken, broken, states.on, broken]) notifier.see(state);
    expect(reported).toEqual(['The proxy stopped', 'The proxy stopped']);
  });

  it('a quota is told once in its cycle, over restarts too', async () => {
    const low = appState({ quota: { ...quota, percentRemaining: 15 } });
    const first = start();
    first.notifier.see(low);
    first.notifier.see(low);
    await soon(() =>
      expect(JSON.parse(readFileSync(join(home, 'settings.json'), 'utf8')).shownNotices.quota).toEqual({
        resetsAt: firstOfDecember,
        used: 80,
      }),
    );
    const second = start();
    second.notifier.see(low);
    expect([first.reported, second.reported]).toEqual([['15% of your credits are left'], []]);
  });

  it('what is told once is remembered together: the quota, the plan, the models that are gone', async () => {
    const first = start();
    first.notifier.see(states.premium);
    const all = appState({
      quota: { ...quota, percentRemaining: 15 },
      goneModels: [{ model: 'claude-opus-4.8', asked: 'opus', runsOn: 'claude-opus-4.6' }],
    });
    first.notifier.see(all);
    const titles = [
      '15% of your credits are left',
      'Your plan is now billed in credits',
      'claude-opus-4.8 is no longer in your catalog',
    ];
    expect(first.reported).toEqual(titles);
    await soon(() =>
      expect(JSON.parse(readFileSync(join(home, 'settings.json'), 'utf8')).shownNotices).toMatchObject({
        quota: { resetsAt: firstOfDecember, used: 80 },
        world: { login: 'alexr-dev', world: 'credits' },
        goneModels: ['claude-opus-4.8'],
      }),
    );
    const second = start();
    second.notifier.see(all);
    expect(second.reported).toEqual([]);
  });

  it('each share of a budget that the app says, and not again after a restart', () => {
    const month = { from: new Date(2026, 10, 1).getTime(), until: new Date(2026, 11, 1).getTime() };
    const spent = (used: number, said: number, stops = false) =>
      appState({ ownLimits: [{ setting: 'creditsPerMonth', scope: null, used, most: 7000, stops, month, said }] });
    const first = start(spent(100, 0));
    for (const state of [spent(3500, 50), spent(3600, 50), spent(5600, 80), spent(7200, 100, true)])
      first.notifier.see(state);
    expect(first.reported).toEqual([
      '50% of your monthly limit is used',
      '80% of your monthly limit is used',
      'Your monthly limit is used up',
    ]);
    const second = start(spent(7200, 100));
    second.notifier.see(spent(7300, 100));
    expect(second.reported).toEqual([]);
  });

  it('a request that goes on becomes busy', async () => {
    const { notifier, facts } = start();
    notifier.see(states.busy);
    expect([notifier.running, facts.changes]).toEqual([0, 0]);
    await soon(() => expect([notifier.running, facts.changes]).toEqual([2, 1]));
  });

  it('the minutes of a code go on while it is out, and no longer', () => {
    vi.useFakeTimers();
    try {
      const { notifier, facts } = start(states['signed-out']);
      notifier.see(states['signing-in']);
      vi.advanceTimersByTime(60_000);
      const ticks = facts.changes;
      notifier.see(states.on);
      vi.advanceTimersByTime(60_000);
      expect([ticks > 0, facts.changes, vi.getTimerCount()]).toEqual([true, ticks, 0]);
    } finally {
      vi.useRealTimers();
    }
  });
});
