import { describe, expect, it } from 'vitest';
import type { WindowState } from '../../../app/api/account.ts';
import { type AppState, statusSchema } from '../../../app/api/state.ts';
import { obstacle, type StatusFacts, statusOf } from '../../../app/health/status.ts';

const now = 1_795_000_000_000;

const working: StatusFacts = {
  reach: { kind: 'directly' },
  account: {
    kind: 'signed-in',
    login: 'octo',
    plan: null,
    sku: null,
    apiHost: null,
    token: null,
    notice: null,
  },
  credential: 'vscode',
  proxy: { kind: 'on', port: 4180, baseUrl: 'http://127.0.0.1:4180' },
  secrets: { storage: 'keychain', problem: null, needsFile: false },
  quota: {
    world: 'credits',
    entitlement: 100,
    remaining: 50,
    percentRemaining: 50,
    unlimited: false,
    overagePermitted: null,
    overageUsed: null,
    exhausted: false,
    resetsAt: null,
    asOf: now,
  },
  warnings: [],
  running: 0,
  creditsRefused: false,
  autoOnly: false,
  limit: null,
  offline: null,
  waiting: 0,
  now,
};
const problem = (code: string) => ({ code, text: '', remedy: '' });
const notice = (id: string): AppState['account'] => ({
  ...(working.account as Extract<AppState['account'], { kind: 'signed-in' }>),
  notice: { id, title: '', message: '', url: null },
});

/** What brings each state about, in the order in which they win. */
const causes: [Partial<StatusFacts>, string][] = [
  [{ warnings: [problem('settings-unreadable')] }, 'fatal'],
  [{ proxy: { kind: 'failed', port: 1, code: 'port-taken', reason: '', remedy: '' } }, 'port'],
  [{ account: { kind: 'signing-in', code: { userCode: '', verificationUri: '', expiresAt: 0 } } }, 'signing-in'],
  [{ unknown: problem('account-unknown') }, 'account-unknown'],
  [{ account: { kind: 'signed-out' } }, 'signed-out'],
  [{ account: notice('no-copilot') }, 'no-access'],
  [{ proxy: { kind: 'off' } }, 'off'],
  [{ autoOnly: true }, 'auto-only'],
  [{ creditsRefused: true }, 'exhausted'],
  [{ limit: { kind: 'weekly', until: now + 1 } }, 'limited'],
  [{ offline: { host: null, code: null, since: now, retryAt: now } }, 'offline'],
  [{ waiting: 1 }, 'waiting'],
  [{ quota: working.quota && { ...working.quota, percentRemaining: 20 } }, 'low'],
  [{ secrets: { storage: 'keychain', problem: problem('secrets'), needsFile: false } }, 'no-keychain'],
  [{ running: 1 }, 'busy'],
  [{}, 'on'],
];

describe('the state of the app', () => {
  it('each cause alone makes its state', () => {
    for (const [cause, status] of causes) expect(statusOf({ ...working, ...cause })).toBe(status);
  });

  it('of all that hold the first wins', () => {
    causes.forEach(([, status], first) => {
      // Later causes are laid below earlier ones, since some are of the same fact.
      const all = Object.assign(
        {},
        ...causes
          .slice(first)
          .toReversed()
          .map(([cause]) => cause),
      );
      expect(statusOf({ ...working, ...all })).toBe(status);
    });
  });

  it.each<[string, Partial<StatusFacts>, string]>([
    ['starting', { proxy: { kind: 'starting', port: 1 } }, 'starting'],
    ['stopping', { proxy: { kind: 'stopping', port: 1 } }, 'stopping'],
    ['a token that GitHub no longer takes is none', { account: notice('sign-in-refused') }, 'signed-out'],
    [
      'GitHub says that nothing is left',
      { quota: working.quota && { ...working.quota, exhausted: true } },
      'exhausted',
    ],
    ['a limit that is over', { limit: { kind: 'weekly', until: now } }, 'on'],
    ['21 % left', { quota: working.quota && { ...working.quota, percentRemaining: 20.1 } }, 'on'],
    ['no limit at all', { quota: working.quota && { ...working.quota, percentRemaining: 0, unlimited: true } }, 'on'],
    ['quota not known', { quota: null }, 'on'],
    ['a token in memory', { secrets: { storage: 'memory', problem: null, needsFile: false } }, 'no-keychain'],
    [
      'a token in memory, as somebody wanted',
      { secrets: { storage: 'memory', problem: null, needsFile: false }, memoryWanted: true },
      'on',
    ],
    [
      'a store in trouble, whatever was wanted',
      { secrets: { storage: 'memory', problem: problem('secrets-unavailable'), needsFile: false }, memoryWanted: true },
      'no-keychain',
    ],
    ['a token in a file', { secrets: { storage: 'file', problem: null, needsFile: false } }, 'on'],
    ['a history that was damaged', { warnings: [problem('history-damaged'), problem('settings-broken')] }, 'on'],
  ])('%s', (_name, facts, status) => {
    expect(statusOf({ ...working, ...facts })).toBe(status);
  });

  it('knows no other states', () => {
    const made = new Set([...causes.map(([, status]) => status), 'starting', 'stopping', 'no-window']);
    expect([...made].sort()).toEqual([...statusSchema.options].sort());
  });
});

describe('through VS Code', () => {
  const through = (window: WindowState): Partial<StatusFacts> => ({ reach: { kind: 'through-vscode', window } });
  const serving: WindowState = { kind: 'serving', port: 1, version: '' };

  it.each([
    [serving, 'on', null],
    [{ kind: 'unknown' }, 'no-window', 'no-window'],
    [{ kind: 'absent' }, 'no-window', 'no-window'],
    [{ kind: 'unsafe', why: '' }, 'no-window', 'no-window'],
    [{ kind: 'no-copilot', port: 1, version: '' }, 'no-window', 'no-window'],
    [{ kind: 'no-consent', port: 1, version: '' }, 'no-window', 'no-window'],
  ] satisfies [WindowState, string, string | null][])('%j', (window, status, inTheWay) => {
    const facts = { ...working, ...through(window), account: { kind: 'signed-out' as const } };
    expect([statusOf(facts), obstacle(facts)]).toEqual([status, inTheWay]);
  });

  it('the proxy and the settings come before it, and nothing of an account counts', () => {
    const status = (facts: Partial<StatusFacts>) => statusOf({ ...working, ...through({ kind: 'absent' }), ...facts });
    expect(status({ proxy: { kind: 'off' } })).toBe('off');
    expect(status({ waiting: 1 })).toBe('no-window');
    expect(status({ ...through(serving), waiting: 1, running: 1 })).toBe('waiting');
    expect(status({ warnings: [problem('settings-unreadable')] })).toBe('fatal');
    const well = {
      ...through(serving),
      account: notice('no-copilot'),
      secrets: { storage: 'memory', problem: null, needsFile: false },
    };
    expect(statusOf({ ...working, ...well, running: 1 } as StatusFacts)).toBe('busy');
  });
});

it('what is in the way of an exchange does not depend on the proxy or on what is merely worth saying', () => {
  const off: Partial<StatusFacts> = { proxy: { kind: 'off' } };
  expect(causes.map(([cause]) => obstacle({ ...working, ...off, ...cause }))).toEqual([
    null,
    null,
    'signed-out',
    'account-unknown',
    'signed-out',
    'no-access',
    null,
    'auto-only',
    'exhausted',
    'limited',
    'offline',
    null,
    null,
    null,
    null,
    null,
  ]);
});
