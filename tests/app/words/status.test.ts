import { describe, expect, it } from 'vitest';
import type { Quota } from '../../../app/api/account.ts';
import type { OwnLimit } from '../../../app/api/state.ts';
import { leftOf, quotaLine } from '../../../app/words/quota.ts';
import { banner, banners, blockedWords, statusLineWords } from '../../../app/words/status.ts';
import { appState, now, portTaken, quota, signedIn, states } from '../../main/app-state.ts';

const text = (name: keyof typeof states) => {
  const shown = banner(states[name], now);
  return (
    shown && [shown.tone, shown.title, shown.text, ...shown.actions.map(({ action, label }) => `${action}: ${label}`)]
  );
};

describe('prompts that wait', () => {
  const held = (prompts: number, from = states.busy) =>
    banner({ ...from, health: { ...from.health, held: { prompts, above: 60 } } }, now);

  it('are told with the way to let them through, also where the quota is low', () => {
    expect(held(7)).toEqual({
      tone: 'amber',
      title: '7 prompts are waiting for you.',
      text: 'More than 60 requests started within a minute.',
      actions: [{ action: 'let-through', label: 'Let them through' }],
      dismissible: null,
    });
    expect(held(1, states.low)).toMatchObject({
      title: '1 prompt is waiting for you.',
      actions: [{ action: 'let-through', label: 'Let it through' }],
    });
  });

  it('stand back behind what would refuse them', () => {
    expect(held(1, states.exhausted)).toEqual(banner(states.exhausted, now));
    expect(held(1, states.off)).toEqual(banner(states.off, now));
  });
});

describe('requests that fail one after the other', () => {
  const failing = (until: number | null) => ({ count: 6, why: '504 from Copilot', until });
  const from = (state: keyof typeof states, until: number | null = null) =>
    banner({ ...states[state], health: { ...states[state].health, failing: failing(until) } }, now);

  it('are said, with the way to them, behind what says more', () => {
    expect(from('on')).toMatchObject({
      tone: 'amber',
      title: 'The last 6 requests failed (504 from Copilot).',
      actions: [{ action: 'requests', label: 'See requests' }],
    });
    expect(from('low')?.title).toBe('The last 6 requests failed (504 from Copilot).');
    expect(from('exhausted')).toEqual(banner(states.exhausted, now));
  });

  it('and a wait that Copilot named, until when', () => {
    expect(from('on', now + 3_600_000)?.title).toBe('Copilot limits requests until 11:39.');
    expect(from('on', now + 36_000_000 * 2)?.title).toBe('Copilot limits requests until 21 Nov 2026, 06:39.');
  });
});

describe('a limit of one’s own that is used up', () => {
  const limit = (change: Partial<OwnLimit>): OwnLimit => ({
    ...{
      setting: 'creditsPerDay',
      scope: { model: 'opus' },
      used: 20.79,
      most: 18,
      stops: false,
      month: null,
      said: 100,
    },
    ...change,
  });
  const from = (ownLimits: OwnLimit[], state = states.on) =>
    banners({ ...state, ownLimits }, now).map(({ tone, title, text, dismissible }) => [tone, title, text, dismissible]);

  it('is said until it was seen where others still go, and for as long as it holds all back', () => {
    const warns = limit({});
    const opus = [
      ...['amber', 'Your limit for models containing opus is used up.'],
      ...['20.79 of 18 credits used today for models containing opus. Requests are still sent.', 'this-cycle'],
    ];
    expect(from([warns])).toEqual([opus]);
    const stops = limit({ setting: 'creditsPerMonth', scope: null, stops: true, month: { from: 0, until: now } });
    const all = from([warns, stops], states.low);
    expect(all.map(([tone, title]) => [tone, title])).toEqual([
      ['red', 'Your monthly limit is used up.'],
      ['amber', '10% of your credits are left.'],
    ]);
    expect(all[0]?.[3]).toBeNull();
    expect(from([warns], states.low).map(([, title]) => title)).toEqual(['10% of your credits are left.', opus[1]]);
    expect(from([limit({ used: 17 }), limit({ setting: 'requestsPerMinute', scope: null, stops: true })])).toEqual([]);
    expect(from([stops], states.off)).toHaveLength(1);
  });

  it('names each that is used up, also where the quota comes first', () => {
    const [warns, stops] = [limit({}), limit({ scope: { client: 'codex' }, most: 5, stops: true })];
    const texts = from([warns, stops]).map(([, title, text]) => [title, text]);
    expect(texts).toEqual([
      [
        'Your limit for client codex is used up.',
        '20.79 of 5 credits used today for client codex. Only these requests are refused until midnight. ' +
          'Also used up: Credits per day, models containing opus (18).',
      ],
    ]);
    const [quota] = from([warns, stops], states.low);
    expect(quota?.[2]).toContain(
      'Also used up: Credits per day, client codex (5); Credits per day, models containing opus (18).',
    );
    // One more is news, though the banner was dismissed.
    const about = (limits: OwnLimit[]) => banners({ ...states.on, ownLimits: limits }, now)[0]?.about;
    expect(about([warns, stops])).not.toBe(about([stops]));
  });
});

it('says which requests the limit of a rule holds back, and leads to the rule', () => {
  const limit: OwnLimit = {
    ...{ setting: 'creditsPerDay', scope: { rule: { folder: '~/project' } }, used: 4.81, most: 4, stops: true },
    ...{ month: null, said: 100 },
  };
  const [shown] = banners({ ...states.on, ownLimits: [limit] }, now);
  expect([shown?.title, shown?.text]).toEqual([
    'The limit of the rule for folder ~/project is used up.',
    '4.81 of 4 credits used today. Requests of this rule are refused until midnight.',
  ]);
  expect(shown?.actions).toEqual([{ action: 'rules', label: 'Open rules' }]);
});

it('names what to look at where the stored sign-in is for another host', () => {
  const why = { text: 'Not signed in to evil.example.', remedy: 'Look at JUMPSEAT_GITHUB_URL.' };
  const out = { ...states['signed-out'], account: { kind: 'signed-out', why } as const };
  expect(banner(out, now)?.text).toBe('Not signed in to evil.example. Look at JUMPSEAT_GITHUB_URL.');
});

describe('sessions that wait', () => {
  it('have no banner of their own, and take none away', () => {
    const waiting = { waiting: 1, otherwise: 'on' } as const;
    expect(banner(states.waiting, now)).toBeNull();
    const low = appState({ quota: states.low.quota, sessions: waiting });
    expect([low.status, banner(low, now)]).toEqual(['waiting', banner(states.low, now)]);
    const held = { ...states.waiting, health: { ...states.waiting.health, held: { prompts: 1, above: 60 } } };
    expect(banner(held, now)?.title).toBe('1 prompt is waiting for you.');
  });
});

describe('the banner', () => {
  it.each<[keyof typeof states, string[] | null]>([
    [
      'fatal',
      ['red', 'Jumpseat can’t read its settings.', 'settings.json can’t be read: EACCES.', 'open-folder: Open folder'],
    ],
    [
      'port',
      [
        'red',
        'Port 4180 is in use by node (pid 48213).',
        'The proxy couldn’t start.',
        'free-port: Use a free port',
        'retry: Try again',
      ],
    ],
    ['signing-in', ['neutral', 'Enter code 8F43-6FCF on GitHub.', '', 'copy-code: Copy code and open GitHub']],
    [
      'account-unknown',
      [
        'red',
        'Nothing is sent: your account isn’t known.',
        'settings.json was damaged. Sign in again.',
        'account: Open account settings',
        'open-folder: Open folder',
      ],
    ],
    [
      'signed-out',
      ['amber', 'You’re signed out.', 'Claude Code gets error 401 until you sign in.', 'sign-in: Sign in'],
    ],
    [
      'refused',
      ['amber', 'alexr-dev: GitHub refuses the sign-in.', 'It was revoked or has expired.', 'sign-in: Sign in'],
    ],
    ['no-access', ['red', 'No Copilot subscription', 'Buy one.', 'open-github: Open on GitHub']],
    [
      'no-window',
      [
        'amber',
        'Requests go through VS Code, and no window of VS Code serves them.',
        'Open VS Code with Jumpseat’s extension and run “Jumpseat: Enable” there, or reach Copilot directly: Settings → ' +
          'Account, or "jumpseat reach directly".',
        'account: Open account settings',
      ],
    ],
    ['through-vscode', null],
    [
      'auto-only',
      [
        'red',
        'Copilot Student has no model to choose.',
        'GitHub chooses the model there (Auto), and no model can be requested by name. Sign in through GitHub’s ' +
          'Copilot SDK, where Jumpseat asks for Auto (Settings → Account). Or take a plan with models to choose at ' +
          'github.com/features/copilot/plans.',
        'plans: See plans',
      ],
    ],
    ['starting', null],
    ['stopping', null],
    [
      'off',
      ['neutral', 'The proxy is off.', 'Claude Code can’t reach Copilot through Jumpseat.', 'proxy-on: Turn proxy on'],
    ],
    [
      'exhausted',
      [
        'red',
        'You’re out of credits.',
        'Copilot refuses requests until 1 Dec 2026, 01:00, or until you set or raise a GitHub budget.',
        'billing: Open billing',
      ],
    ],
    [
      'weekly',
      [
        'amber',
        'You’ve reached Copilot’s weekly limit.',
        'It resets on Mon 23 Nov, 09:40, in 2 d 23 h.',
        'usage: See usage',
      ],
    ],
    [
      'session',
      ['amber', 'You’ve reached Copilot’s 5-hour limit.', 'It resets at 15:00, in 4 h 21 min.', 'usage: See usage'],
    ],
    [
      'offline',
      [
        'amber',
        'No connection to Copilot.',
        'api.individual.githubcopilot.com didn’t answer since 10:38. Trying again in 20 s.',
        'retry: Try again now',
      ],
    ],
    ['low', ['amber', '10% of your credits are left.', '698 of 7,000, until 1 Dec 2026, 01:00.', 'usage: See usage']],
    [
      'budget',
      [
        'amber',
        'You’re past your included credits.',
        'Requests are billed to your GitHub budget.',
        'billing: Open billing',
      ],
    ],
    [
      'no-keychain',
      [
        'amber',
        'No keychain on this machine.',
        'You stay signed in until you quit Jumpseat.',
        'storage: Choose storage…',
      ],
    ],
    ['busy', null],
    ['on', null],
  ])('%s', (name, shown) => {
    expect(text(name)).toEqual(shown);
  });

  it('can be put away only where nothing has to be done', () => {
    const dismissible = Object.entries(states).flatMap(([name, state]) => {
      const until = banner(state, now)?.dismissible ?? null;
      return until === null ? [] : [[name, until]];
    });
    expect(dismissible).toEqual([
      ['low', 'this-cycle'],
      ['budget', 'this-cycle'],
      ['no-keychain', 'this-run'],
    ]);
  });

  it('without what GitHub did not say', () => {
    const notice = { id: 'x', title: 'No access', message: 'Ask somebody.', url: null };
    const shown = [
      banner(appState({ account: { ...signedIn, notice } }), now)?.actions,
      banner(appState({ quota: { ...quota, exhausted: true, resetsAt: null } }), now)?.text,
      banner(
        appState({
          proxy: { ...portTaken, kind: 'failed', port: 0, code: 'home-unusable', reason: 'No.', remedy: '' },
        }),
        now,
      )?.actions,
      banner(
        appState({
          proxy: { ...portTaken, kind: 'failed', port: 1, code: 'already-running', reason: 'No.', remedy: '' },
        }),
        now,
      )?.actions,
      // Only who manages the machine can help.
      banner(
        appState({
          proxy: { ...portTaken, kind: 'failed', port: 1, code: 'policy', reason: 'The policy.', remedy: 'Ask them.' },
        }),
        now,
      ),
    ];
    expect(shown).toEqual([
      [],
      'Copilot refuses requests until you set or raise a GitHub budget.',
      [{ action: 'retry', label: 'Try again' }],
      [{ action: 'retry', label: 'Try again' }],
      expect.objectContaining({ title: 'The policy.', text: 'Ask them.', actions: [] }),
    ]);
  });
});

it('a quota on one line', () => {
  expect([
    quotaLine(quota),
    quotaLine({ ...quota, world: 'premium', remaining: 477.9 }),
    quotaLine({ ...quota, resetsAt: null }),
    quotaLine({ ...quota, remaining: null, percentRemaining: 28.6 }),
    quotaLine({ ...quota, unlimited: true }),
    quotaLine(null),
    leftOf({ ...quota, entitlement: null }),
    leftOf(null),
  ]).toEqual([
    '2,002 credits left · resets 1 Dec',
    '477.90 premium requests left · resets 1 Dec',
    '2,002 credits left',
    '29% of your credits left · resets 1 Dec',
    null,
    null,
    '2,002, until 1 Dec 2026, 01:00.',
    '',
  ]);
});

describe('Claude Code’s status line', () => {
  const none = { problem: null, quota, conversation: null, today: null, limits: [] };
  const sum = (nanoAiu: number, premiumRequests = 0, isPartlyUnknown = false) => ({
    ...{ nanoAiu, premiumRequests, isPartlyUnknown },
  });

  it('has credits with two decimals below 100, and none above', () => {
    const amounts = [12.404, 99.994, 99.996, 1385.69].map(
      (credits) => statusLineWords({ ...none, conversation: sum(credits * 1e9) }).credits,
    );
    expect(amounts).toEqual(['12.40 credits', '99.99 credits', '100 credits', '1,386 credits']);
    const limits = ['5-hour limit 62% used, resets in 1 h 21 min', 'Weekly limit 96% used'];
    expect(statusLineWords({ ...none, limits }).limits).toBe(limits.join(', '));
    expect(statusLineWords({ ...none, today: sum(3.5e9, 0, true) })).toEqual({
      ...{ problem: null, credits: null, today: 'at least 3.50 today', left: '2,002 credits left' },
      limits: null,
    });
  });

  it('has premium requests where the plan counts them, and no figure that isn’t known', () => {
    const premium: Quota = { ...quota, world: 'premium', remaining: 27.33 };
    expect(statusLineWords({ ...none, quota: premium, conversation: sum(0, 3.33), today: sum(0) })).toEqual({
      ...{ problem: null, credits: '3.33 premium requests', today: '0 today', left: '27.33 premium requests left' },
      limits: null,
    });
    const unknown = { credits: null, today: null, left: null };
    expect(statusLineWords({ ...none, quota: null, conversation: sum(0), today: sum(0) })).toMatchObject(unknown);
    expect(
      statusLineWords({
        ...none,
        quota: { ...quota, remaining: null, percentRemaining: null },
        conversation: sum(0, 0, true),
        today: sum(0, 0, true),
      }),
    ).toMatchObject(unknown);
    expect(statusLineWords({ ...none, quota: { ...quota, unlimited: true } }).left).toBeNull();
    expect(statusLineWords({ ...none, quota: { ...quota, remaining: null } }).left).toBe('29% left');
    const nearlyNone = { ...quota, remaining: null, percentRemaining: 0.4 };
    expect(statusLineWords({ ...none, quota: nearlyNone }).left).toBe('0.4% left');
  });
});

it('names what stands between here and Copilot, where no network is to blame', () => {
  const offline = { host: 'api.example.com', since: 0, retryAt: 0 };
  expect(blockedWords({ ...offline, code: 'ERR_PAC' })).toBe('The PAC script can’t be used.');
  expect(blockedWords({ ...offline, code: 'ECONNREFUSED' })).toBeNull();
  expect(blockedWords({ ...offline, code: null })).toBeNull();
});
