import { describe, expect, it } from 'vitest';
import type { Quota } from '../../../app/api/account.ts';
import type { AppState } from '../../../app/api/state.ts';
import {
  keepsRunningNotice,
  linesCopiedNotice,
  settingsChangedNotice,
  undoneNotice,
  updateNotice,
} from '../../../main/notices/answer-notices.ts';
import { isWanted, NotificationGate } from '../../../main/notices/notice.ts';
import { goneNotice, noticesFor, quotaNotice, worldNotice } from '../../../main/notices/state-notices.ts';
import { appState, firstOfDecember, now, quota, states, working } from '../app-state.ts';

const offlineSince = (minutes: number, running: number): AppState =>
  appState({
    health: { ...working, running, offline: { host: 'h', code: null, since: now - minutes * 60_000, retryAt: now } },
  });

const heldPrompts = (prompts: number): AppState =>
  appState({ health: { ...working, running: prompts, held: { prompts, above: 60 } } });

describe('what of a change needs the person', () => {
  it.each<[string, AppState, AppState, object[]]>([
    ['nothing', states.on, states.busy, []],
    ['a code that is out', states['signed-out'], states['signing-in'], []],
    [
      'credits are gone',
      states.on,
      states.exhausted,
      [
        {
          cause: 'exhausted',
          title: 'You’re out of credits',
          body: 'Copilot refuses requests until 1 Dec 2026, 01:00.',
          opens: { place: '#/usage' },
        },
      ],
    ],
    ['still gone', states.exhausted, states.exhausted, []],
    [
      'the weekly limit',
      states.on,
      states.weekly,
      [
        {
          cause: 'limit-weekly',
          title: 'You’ve reached Copilot’s weekly limit',
          body: 'It resets Mon 23 Nov, 09:40.',
          opens: { place: '#/usage' },
        },
      ],
    ],
    [
      'another limit after the weekly one',
      states.weekly,
      states.session,
      [
        {
          cause: 'limit-session',
          title: 'You’ve reached Copilot’s 5-hour limit',
          body: 'It resets Fri 20 Nov, 15:00.',
          opens: { place: '#/usage' },
        },
      ],
    ],
    ['the same limit', states.weekly, states.weekly, []],
    [
      'the token refused',
      states.on,
      states.refused,
      [
        {
          cause: 'sign-in-refused',
          title: 'Sign in to GitHub again',
          body: 'alexr-dev: GitHub refuses the sign-in.',
          opens: { place: '#/sign-in' },
        },
      ],
    ],
    ['signed out by hand', states.on, states['signed-out'], []],
    [
      'the proxy did not start',
      states.starting,
      states.port,
      [
        {
          cause: 'proxy',
          title: 'The proxy couldn’t start',
          body: 'Port 4180 is in use by node (pid 48213).',
          opens: { place: '#/health' },
        },
      ],
    ],
    ['turned off', states.on, states.off, []],
    ['offline for a short while', states.on, offlineSince(1.9, 1), []],
    ['offline, and no request waits', states.on, offlineSince(60, 0), []],
    [
      'offline for long, and a request waits',
      offlineSince(2, 0),
      offlineSince(2, 1),
      [
        {
          cause: 'offline',
          title: 'No connection to Copilot',
          body: 'Check the network.',
          opens: { place: '#/health' },
        },
      ],
    ],
    [
      'a burst is held',
      states.on,
      heldPrompts(7),
      [
        {
          cause: 'burst',
          title: '7 prompts are waiting for you',
          body: 'More than 60 requests started within a minute.',
          opens: { place: '#/requests' },
        },
      ],
    ],
    [
      'a prompt asks before GitHub bills more',
      states.budget,
      { ...states.budget, health: { ...heldPrompts(1).health, overage: 'asks' } },
      [
        {
          cause: 'overage',
          title: '1 prompt is waiting for you',
          body: 'It would be billed to your GitHub budget: your included credits are used up.',
          opens: { place: '#/requests' },
        },
      ],
    ],
    ['more of it are held', heldPrompts(7), heldPrompts(8), []],
    ['they were let through', heldPrompts(8), states.on, []],
  ])('%s', (_name, before, after, notices) => {
    expect(noticesFor(before, after, now)).toEqual(notices);
  });
});

describe('the quota is told once for each threshold and cycle', () => {
  const used = (percent: number) => ({ ...quota, percentRemaining: 100 - percent, remaining: 70 * (100 - percent) });
  const reported = (percent: number) => ({ resetsAt: firstOfDecember, used: percent });
  const of = (given: Quota | null) => appState({ quota: given });

  it('80 %', () => {
    expect(quotaNotice(of(used(80)), null)).toEqual({
      notice: {
        cause: 'quota-80',
        title: '20% of your credits are left',
        body: '1,400 of 7,000, until 1 Dec 2026, 01:00.',
        opens: { place: '#/usage' },
      },
      reported: reported(80),
    });
  });

  it.each([
    ['not before', used(79.9), null, null],
    ['not twice', used(94), reported(80), null],
    ['95 % after 80 %', used(95), reported(80), '5% of your credits are left'],
    ['95 % without 80 % before', used(99), null, '1% of your credits are left'],
    ['never back', used(85), reported(95), null],
    ['again in the next cycle', { ...used(80), resetsAt: '2027-01-01' }, reported(95), '20% of your credits are left'],
    ['premium requests', { ...used(80), world: 'premium' as const }, null, '20% of your premium requests are left'],
    ['not without a limit', { ...used(90), unlimited: true }, null, null],
    ['not when nothing is left', { ...used(100), exhausted: true }, null, null],
    [
      'at the end of what is included',
      { ...used(100), overagePermitted: true },
      reported(95),
      'You’re past your included credits',
    ],
    ['that once too', { ...used(100), overagePermitted: true }, reported(100), null],
    ['not when unknown', { ...quota, percentRemaining: null }, null, null],
    ['not without an answer', null, null, null],
  ])('%s', (_name, given, before, title) => {
    expect(quotaNotice(of(given), before)?.notice.title ?? null).toBe(title);
  });
});

it('a person’s own thresholds are told in place of ours', () => {
  const reported = [74, 75, 90].map(
    (percent) =>
      quotaNotice(appState({ quota: { ...quota, percentRemaining: 100 - percent } }), null, { warning: 75, alarm: 90 })
        ?.notice.title ?? null,
  );
  expect(reported).toEqual([null, '25% of your credits are left', '10% of your credits are left']);
});

describe('how the account is billed', () => {
  const credits = { login: 'alexr-dev', world: 'credits' } as const;
  const premium = { login: 'alexr-dev', world: 'premium' } as const;

  it('is told when it is another way than at the last look, before a restart or after', () => {
    expect(worldNotice(states.on, premium)).toEqual({
      notice: {
        cause: 'world-credits',
        title: 'Your plan is now billed in credits',
        body: 'Amounts come from Copilot from now on.',
        opens: { place: '#/usage' },
      },
      reported: credits,
    });
    expect(worldNotice(states.premium, credits)?.notice?.title).toBe('Your plan now counts premium requests');
  });

  it('is only remembered at the first look and for another account, and nothing is said of what is not known', () => {
    expect(worldNotice(states.on, null)).toEqual({ notice: null, reported: credits });
    expect(worldNotice(states.on, { login: 'somebody', world: 'premium' })).toEqual({
      notice: null,
      reported: credits,
    });
    expect(worldNotice(states.on, credits)).toBeNull();
    expect(worldNotice(appState({ quota: null }), premium)).toBeNull();
    expect(worldNotice(states['signed-out'], premium)).toBeNull();
  });
});

describe('models in use that are gone', () => {
  const gone = { model: 'claude-opus-4.8', asked: 'opus', runsOn: 'claude-opus-4.6' };

  it('are told with what runs in their place', () => {
    expect(goneNotice([gone], [])).toEqual({
      notice: {
        cause: 'model-claude-opus-4.8',
        title: 'claude-opus-4.8 is no longer in your catalog',
        body: 'Claude Code’s "opus" now runs on claude-opus-4.6.',
        opens: { place: '#/models' },
      },
      reported: ['claude-opus-4.8'],
    });
    expect(goneNotice([{ ...gone, runsOn: null }], [])?.notice.body).toBe(
      'Claude Code’s "opus" gets error 404 until you choose another model.',
    );
  });

  it('are told once, several in one notice', () => {
    const other = { ...gone, model: 'claude-opus-4.7' };
    expect(goneNotice([], [])).toBeNull();
    expect(goneNotice([gone], ['claude-opus-4.8'])).toBeNull();
    expect(goneNotice([gone, other], ['claude-opus-4.8'])?.reported).toEqual(['claude-opus-4.8', 'claude-opus-4.7']);
    expect(goneNotice([gone, other], [])?.notice).toMatchObject({
      title: '2 models are no longer in your catalog',
      body: 'claude-opus-4.8, claude-opus-4.7.',
    });
  });
});

describe('the gate', () => {
  const offline = { cause: 'offline', title: '', body: '', opens: null };
  const hour = 3_600_000;

  it('lets a cause through once an hour', () => {
    const gate = new NotificationGate();
    const at = (ms: number, cause = 'offline') => gate.lets({ ...offline, cause }, { now: now + ms, inSight: false });
    expect([at(0), at(hour - 1), at(1, 'proxy'), at(hour), at(hour + 1)]).toEqual([true, false, true, true, false]);
  });

  it('lets nothing through that the window shows, and remembers nothing of it', () => {
    const gate = new NotificationGate();
    expect([true, false].map((inSight) => gate.lets(offline, { now, inSight }))).toEqual([false, true]);
  });

  it('always answers what a person did', () => {
    const gate = new NotificationGate();
    const copied = linesCopiedNotice('claude-code', 'fish');
    expect([gate.lets(copied, { now, inSight: true }), gate.lets(copied, { now, inSight: true })]).toEqual([
      true,
      true,
    ]);
  });
});

it('all other notices have these words', () => {
  expect([
    linesCopiedNotice('claude-code', 'powershell').body,
    linesCopiedNotice('mcp', 'bash').body,
    keepsRunningNotice('linux').body,
    keepsRunningNotice('win32').body,
    updateNotice('1.4.0').title,
    settingsChangedNotice('changed').body,
    settingsChangedNotice('removed').body,
    undoneNotice([]).body,
    undoneNotice(['A']).body,
    undoneNotice(['A', 'B']).body,
  ]).toEqual([
    'Paste them into PowerShell. They hold your local key.',
    'Paste it into bash or zsh. It holds your local key.',
    'Find it in the tray.',
    'Find it in the tray. On Windows, drag it out of the overflow to keep it in view.',
    'Jumpseat 1.4.0 is ready',
    'ANTHROPIC_BASE_URL in settings.json was changed.',
    'ANTHROPIC_BASE_URL in settings.json was removed.',
    'It takes effect when you start claude.',
    '1 key now has another value. It was left alone; the rest was undone.',
    '2 keys now have other values. They were left alone; the rest was undone.',
  ]);
});

describe('what a person wants to hear of', () => {
  const every = (on: boolean) => ({
    ...{ quota: on, trouble: on, updates: on, sessionWaits: on, sessionDone: on, sessionFailed: on },
  });
  const all = every(true);
  const of = (cause: string | null) => ({ cause, title: '', body: '', opens: null });
  it.each([
    ['quota-80', 'quota'],
    ['exhausted', 'quota'],
    ['limit-weekly', 'quota'],
    ['world-credits', 'quota'],
    ['sign-in-refused', 'trouble'],
    ['proxy', 'trouble'],
    ['offline', 'trouble'],
    ['claude-code-settings', 'trouble'],
    ['update-1.4.0', 'updates'],
    ['session-waits-4f0c', 'sessionWaits'],
    ['session-done-4f0c', 'sessionDone'],
    ['session-failed-4f0c', 'sessionFailed'],
  ] as const)('%s belongs to %s', (cause, kind) => {
    expect(isWanted(of(cause), all)).toBe(true);
    expect(isWanted(of(cause), { ...all, [kind]: false })).toBe(false);
    expect(isWanted(of(cause), { ...every(false), [kind]: true })).toBe(true);
  });

  it('an answer to what was just asked for is always wanted', () => {
    expect(isWanted(of(null), every(false))).toBe(true);
  });
});
