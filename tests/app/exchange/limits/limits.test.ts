import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Charge, Exchange } from '../../../../app/api/exchange.ts';
import type { LimitAmount, ModelRule } from '../../../../app/api/rules.ts';
import { areLimitsSet } from '../../../../app/exchange/limits/admit.ts';
import { Guards } from '../../../../app/exchange/limits/limits.ts';
import type { SessionFolders } from '../../../../app/exchange/limits/scope.ts';
import { ruleFor } from '../../../../app/exchange/model/rules.ts';
import type { ClientError } from '../../../../app/exchange/recover/error.ts';
import { openHistory } from '../../../../app/history/history.ts';
import type { Settings } from '../../../../app/settings/settings.ts';
import { HandClock } from '../../account/hand-clock.ts';
import { exampleExchange } from '../../history/example.ts';
import { collectingLog, temporaryFolder } from '../../history/surroundings.ts';
import { defaults } from '../../settings/defaults.ts';

const credit = 1e9;
const noon = new Date(2026, 10, 20, 12).getTime();

const charge = (nanoAiu: number | null, premiumRequests: number | null = null, row: Partial<Exchange> = {}) =>
  exampleExchange({
    // Within any period.
    startedAt: Number.MAX_SAFE_INTEGER,
    ...row,
    charge: { kind: 'billed', nanoAiu, premiumRequests, partial: false, details: [] },
  });

/** A person's guards over a history of their own. */
function guard(limits: Partial<Settings['limits']>, rules: readonly ModelRule[] = []) {
  const clock = new HandClock(noon);
  clock.held = true;
  const { history } = openHistory(join(temporaryFolder(), 'history.db'), { clock, log: collectingLog() });
  onTestFinished(() => history.close());
  const settings: Settings['limits'] = { ...defaults.limits, ...limits };
  const log = collectingLog();
  /** Folders by their sessions, as the sessions of this machine say; a session that began since is learned of. */
  const places: Record<string, string> = {};
  let learned: Record<string, string> = {};
  const folders: SessionFolders = {
    learnAll: async () => {
      learned = { ...places };
    },
    learn: async ({ session }) => {
      learned = { ...learned, ...(session && { [session]: places[session] ?? '' }) };
    },
    isIn: ({ session }, folder) => session !== null && learned[session] === folder,
  };
  /** What is kept over restarts, and what GitHub named. */
  const kept: {
    said: Settings['shownNotices']['budgets'];
    resetsAt: number | null;
    timeZone: Settings['timeZone'];
  } = { said: [], resetsAt: null, timeZone: 'local' };
  const begin = () =>
    new Guards({
      ...{
        history,
        folders,
        clock,
        log,
        limits: () => settings,
        timeZone: () => kept.timeZone,
        rules: () => rules,
        resetsAt: () => kept.resetsAt,
        changed: () => {},
      },
      said: {
        kept: () => kept.said,
        keep: (said) => {
          kept.said = said;
        },
      },
    });
  const spent = (startedAt: number, credits: number, row: Partial<Exchange> = {}): void =>
    history.record(
      exampleExchange({
        ...row,
        id: `ex-${startedAt}-${credits}`,
        startedAt,
        charge: { kind: 'billed', nanoAiu: credits * credit, premiumRequests: null, partial: false, details: [] },
      }),
    );
  return { clock, history, settings, guards: begin(), begin, kept, log, spent, places };
}

const reported = (held: ClientError | null) =>
  held && [held.status, held.type, held.message, held.retryAfterSeconds, held.shouldRetry];

it('C19.2 without limits nothing is held back', () => {
  const { guards } = guard({});
  for (let turn = 0; turn < 500; turn++) expect(guards.enter()).toBeNull();
});

it('requests per minute: as many as allowed in any 60 s, and the time at which the next may go', () => {
  const { guards, clock } = guard({ requestsPerMinute: 2 });
  expect(guards.enter()).toBeNull();
  clock.advance(20_000);
  expect(guards.enter()).toBeNull();
  clock.advance(500);
  expect(reported(guards.enter())).toEqual([
    429,
    'rate_limit_error',
    'Jumpseat: held back because more than 2 requests started within a minute. Try again in 40 seconds, or ' +
      'raise it in Settings → Limits (limits.requestsPerMinute in settings.json).',
    40,
    true,
  ]);
  clock.advance(39_500);
  // What was held back is not counted.
  expect(guards.enter()).toBeNull();
  expect(reported(guards.enter())?.[3]).toBe(20);
});

it('requests per minute: a limit that is changed holds at once', () => {
  const { guards, settings } = guard({ requestsPerMinute: 1 });
  guards.enter();
  expect(guards.enter()).not.toBeNull();
  settings.requestsPerMinute = 3;
  expect([guards.enter(), guards.enter()]).toEqual([null, null]);
  settings.requestsPerMinute = null;
  expect(guards.enter()).toBeNull();
});

it('credits per day: what the history knows of today and what has come since, until midnight', () => {
  const { guards, clock, spent } = guard({ creditsPerDay: 5 });
  spent(noon - 24 * 3_600_000, 100);
  spent(noon - 1000, 3);
  expect(guards.enter()).toBeNull();
  guards.charged(charge(null));
  guards.charged(charge(1.5 * credit));
  expect(guards.enter()).toBeNull();
  guards.charged(charge(0.5 * credit));
  expect(reported(guards.enter())).toEqual([
    429,
    'rate_limit_error',
    'Jumpseat: held back because 5.00 of the 5 credits you allow for a day are used. They start anew on 21 ' +
      'Nov 2026, 00:00. Raise them in Settings → Limits (limits.creditsPerDay in settings.json) to go on now.',
    12 * 3600,
    false,
  ]);
  clock.advance(12 * 3_600_000);
  expect(guards.enter()).toBeNull();
});

it('credits per day: raised while the day goes on; a charge of the new day is not lost', () => {
  const { guards, clock, settings, spent } = guard({ creditsPerDay: 1 });
  spent(noon, 2);
  expect(guards.enter()).not.toBeNull();
  settings.creditsPerDay = 3;
  expect(guards.enter()).toBeNull();
  clock.advance(13 * 3_600_000);
  spent(clock.now(), 4);
  guards.charged(charge(4 * credit));
  expect(guards.enter()).not.toBeNull();
});

it('a day is the one that the other sums of a day count: of the zone of times, by when a request began', () => {
  vi.stubEnv('TZ', 'Asia/Tokyo');
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  const { guards, begin, clock, kept, spent } = guard({ creditsPerDay: 100 });
  const used = (of = guards): number | undefined => of.standing()[0]?.used;
  // 13:00 in Tokyo, 4:00 in UTC.
  clock.advance(Date.UTC(2026, 10, 20, 4) - clock.now());
  spent(Date.UTC(2026, 10, 19, 14), 1);
  spent(Date.UTC(2026, 10, 19, 20), 2);
  spent(Date.UTC(2026, 10, 20, 3), 4);
  expect(used()).toBe(6);
  kept.timeZone = 'utc';
  expect(used()).toBe(4);
  guards.charged(charge(8 * credit, null, { startedAt: Date.UTC(2026, 10, 19, 23) }));
  guards.charged(charge(16 * credit, null, { startedAt: Date.UTC(2026, 10, 20, 1) }));
  expect([used(), used(begin())]).toEqual([20, 4]);
});

it('premium requests per day: what the history knows of today and what has come since, by their multipliers', () => {
  const { guards, clock, history } = guard({ premiumRequestsPerDay: 10 });
  const premium: Charge = { kind: 'billed', nanoAiu: null, premiumRequests: 9, partial: false, details: [] };
  history.record(exampleExchange({ id: 'yesterday', startedAt: noon - 24 * 3_600_000, charge: premium }));
  history.record(exampleExchange({ id: 'today', startedAt: noon - 1000, charge: premium }));
  expect(guards.enter()).toBeNull();
  guards.charged(charge(null, 0.33));
  expect(guards.enter()).toBeNull();
  // A request whose multiplier the catalog doesn't name.
  guards.charged(charge(null, null));
  expect(guards.enter()).toBeNull();
  guards.charged(charge(null, 0.67));
  expect(reported(guards.enter())).toEqual([
    429,
    'rate_limit_error',
    'Jumpseat: held back because 10 of the 10 premium requests you allow for a day are used. They start ' +
      'anew on 21 Nov 2026, 00:00. Raise them in Settings → Limits (limits.premiumRequestsPerDay in ' +
      'settings.json) to go on now.',
    12 * 3600,
    false,
  ]);
  clock.advance(12 * 3_600_000);
  expect(guards.enter()).toBeNull();
});

it('a history that can’t be read holds nothing back', () => {
  const { guards, history } = guard({ creditsPerDay: 1 });
  history.close();
  expect(guards.enter()).toBeNull();
  guards.charged(charge(2 * credit));
  expect(guards.enter()).not.toBeNull();
});

describe('a budget for the month', () => {
  const day = 24 * 3_600_000;
  const reset = Date.UTC(2026, 11, 1);

  it('counts since GitHub’s cycle began, and refuses only where it stops', () => {
    const { guards, kept, settings, spent } = guard({ creditsPerMonth: 5 });
    kept.resetsAt = reset;
    spent(Date.UTC(2026, 10, 1) - 1, 100);
    spent(Date.UTC(2026, 10, 1), 4);
    guards.charged(charge(1.5 * credit));
    const month = { from: Date.UTC(2026, 10, 1), until: reset };
    expect(guards.standing()).toEqual([
      { setting: 'creditsPerMonth', scope: null, used: 5.5, most: 5, stops: false, month, said: 100 },
    ]);
    expect(guards.enter()).toBeNull();
    settings.monthUsedUp = 'stop';
    expect(reported(guards.enter())?.slice(2)).toEqual([
      expect.stringMatching(
        /^Jumpseat: held back because 5\.50 of the 5 credits you allow for a month are used\. They start anew on .* \(limits\.creditsPerMonth in settings\.json\) to go on now\.$/,
      ),
      Math.ceil((reset - noon) / 1000),
      false,
    ]);
  });

  it('starts anew with the cycle, also where GitHub named only an earlier reset, and else on the first', () => {
    const { guards, kept, clock, spent } = guard({ creditsPerMonth: 5, monthUsedUp: 'stop' });
    kept.resetsAt = Date.UTC(2026, 10, 15);
    spent(Date.UTC(2026, 10, 14), 9);
    expect(guards.enter()).toBeNull();
    guards.charged(charge(6 * credit));
    expect(guards.enter()).not.toBeNull();
    clock.advance(Date.UTC(2026, 11, 15) - noon);
    expect(guards.enter()).toBeNull();
    kept.resetsAt = null;
    kept.said = [];
    const again = guard({ creditsPerMonth: 5, monthUsedUp: 'stop' });
    again.spent(new Date(2026, 10, 1).getTime(), 9);
    expect(again.guards.enter()).not.toBeNull();
    again.clock.advance(new Date(2026, 11, 1).getTime() - noon);
    expect(again.guards.enter()).toBeNull();
  });

  it('says each chosen share once a month, over restarts too', () => {
    const { guards, begin, kept, log, clock, settings } = guard({ creditsPerMonth: 100, noticesAt: [80, 50] });
    kept.resetsAt = reset;
    const said = () => log.lines.map(({ facts }) => facts?.percent);
    guards.charged(charge(49 * credit));
    expect(said()).toEqual([]);
    guards.charged(charge(2 * credit));
    guards.charged(charge(2 * credit));
    expect(said()).toEqual([50]);
    guards.charged(charge(30 * credit));
    expect(said()).toEqual([50, 80]);
    expect(kept.said).toEqual([{ setting: 'creditsPerMonth', until: reset, share: 80, most: 100 }]);
    // Another process, before it has asked GitHub.
    kept.resetsAt = null;
    const after = begin();
    after.charged(charge(90 * credit));
    expect(said()).toEqual([50, 80]);
    expect(after.standing()[0]?.said).toBe(80);
    settings.noticesAt = [];
    clock.advance(11 * day);
    after.charged(charge(60 * credit));
    settings.noticesAt = [50];
    after.charged(charge(0));
    expect(said()).toEqual([50, 80, 50]);
    // Another budget is another sentence.
    settings.creditsPerMonth = 110;
    after.charged(charge(0));
    expect(said()).toEqual([50, 80, 50, 50]);
  });
});

describe('a limit for a part of the requests', () => {
  const codex = { client: 'codex', servedModel: 'gpt-5.2', session: 's1' };
  const opus = { client: 'claude-code', servedModel: 'claude-opus-4.6', session: 's2' };
  const rule = { credits: 5, per: 'day', action: 'stop' } as const;

  it('counts for its client, model or account alone, from the history and since, and holds back no other', () => {
    const { guards, spent, settings } = guard({});
    settings.rules = [
      { ...rule, client: 'codex' },
      { ...rule, model: 'opus', credits: 9, action: 'warn' },
      { ...rule, account: 'work', client: 'claude-code' },
    ];
    spent(noon - 3000, 3, codex);
    spent(noon - 2000, 4, { ...opus, account: 'work' });
    spent(noon - 1000, 4.5, opus);
    guards.charged(charge(1 * credit, null, codex));
    expect(guards.standing().map(({ scope, used, most, stops }) => [scope, used, most, stops])).toEqual([
      [{ client: 'codex' }, 4, 5, true],
      [{ model: 'opus' }, 8.5, 9, false],
      [{ account: 'work', client: 'claude-code' }, 4, 5, true],
    ]);
    expect([guards.enter(codex), guards.enter(opus)]).toEqual([null, null]);
    guards.charged(charge(1 * credit, null, codex));
    guards.charged(charge(2 * credit, null, { ...opus, account: 'work' }));
    expect(reported(guards.enter(codex))?.[2]).toBe(
      'Jumpseat: held back because client codex has used 5.00 of the 5 credits you allow it a day. They start ' +
        'anew on 21 Nov 2026, 00:00. Raise them in Settings → Limits (limits.rules in settings.json) to go on now.',
    );
    // That one only warns; and it holds for nobody in general.
    expect([guards.enter(opus), guards.reached()]).toEqual([null, null]);
    expect(reported(guards.enter({ ...opus, account: 'work' }))?.[2]).toContain(
      'client claude-code, account work has used',
    );
  });

  it('says that a share is used once a day, each limit by itself', () => {
    const { guards, log, settings, clock } = guard({ noticesAt: [80, 100] });
    settings.rules = [
      { ...rule, client: 'codex', action: 'warn' },
      { ...rule, client: 'codex', credits: 10 },
    ];
    const said = () => log.lines.map(({ facts }) => `${facts?.scope} ${facts?.percent} of ${facts?.most}`);
    guards.charged(charge(4 * credit, null, codex));
    guards.charged(charge(0.5 * credit, null, codex));
    expect(said()).toEqual(['client codex 80 of 5']);
    guards.charged(charge(4 * credit, null, codex));
    guards.charged(charge(0, null, codex));
    expect(said().slice(1)).toEqual(['client codex 100 of 5', 'client codex 80 of 10']);
    clock.advance(24 * 3_600_000);
    guards.charged(charge(4.5 * credit, null, codex));
    expect(said().slice(3)).toEqual(['client codex 80 of 5']);
  });

  it('counts a folder by the sessions that work in it, once these are known', async () => {
    const { guards, spent, settings, places } = guard({ requestsPerMinute: 90 });
    settings.rules = [{ ...rule, folder: '/srv/shop' }];
    places.s1 = '/srv/shop';
    spent(noon - 1000, 3, codex);
    spent(noon - 900, 30, opus);
    expect(guards.standing().map(({ setting }) => setting)).toEqual(['requestsPerMinute']);
    await guards.ready();
    expect(guards.standing()[0]).toMatchObject({ scope: { folder: '/srv/shop' }, used: 3 });
    // A session that began afterwards.
    const later = { ...codex, session: 's3' };
    places.s3 = '/srv/shop';
    await guards.ready(later);
    guards.charged(charge(2 * credit, null, later));
    expect(guards.enter(later)).not.toBeNull();
    expect(guards.enter(opus)).toBeNull();
  });
});

it('a limit that stops is never exceeded by more than what was under way', () => {
  fc.assert(
    fc.property(
      fc.constantFrom<Partial<Settings['limits']>>(
        { creditsPerDay: 5 },
        { creditsPerMonth: 5, monthUsedUp: 'stop' },
        { rules: [{ client: 'codex', credits: 5, per: 'day', action: 'stop' }] },
        { rules: [{ client: 'codex', model: 'gpt', credits: 5, per: 'month', action: 'stop' }] },
      ),
      fc.array(fc.integer({ min: 1, max: 2_000 }), { minLength: 100, maxLength: 100 }),
      fc.array(fc.nat(19), { minLength: 100, maxLength: 100 }),
      (limits, costs, ends) => {
        const { guards } = guard(limits);
        const row = { client: 'codex', servedModel: 'gpt-5.2', session: null };
        const running: number[] = [];
        let total = 0;
        for (const [turn, thousandths] of costs.entries()) {
          // Twenty streams at once: one ends whenever another one comes.
          if (running.length === 20) {
            const [cost = 0] = running.splice(ends[turn] ?? 0, 1);
            total += cost;
            guards.charged(charge(cost, null, row));
          }
          const isUsedUp = total >= 5 * credit;
          if ((guards.enter(row) === null) === isUsedUp) return false;
          if (!isUsedUp) running.push(thousandths * 1e6);
        }
        return true;
      },
    ),
    { numRuns: 12 },
  );
});

const limited = (when: ModelRule['when'], limit: LimitAmount): ModelRule => ({ when, use: { limit } });

it('a limit of a rule counts the requests that followed it, and refuses them alone, over a restart, too', () => {
  const limit = { credits: 5, per: 'day', action: 'stop' } as const;
  const rules = [limited({ class: 'subagent', client: 'codex' }, limit), limited({}, { ...limit, action: 'warn' })];
  const { guards, begin, spent, history } = guard({}, rules);
  expect(areLimitsSet({ limits: defaults.limits, models: { ...defaults.models, rules } })).toBe(true);
  expect(areLimitsSet(defaults)).toBe(false);
  const of = (at: number) => ({ client: 'codex', servedModel: 'gpt-5.2', session: null, rule: rules[at]?.when ?? {} });
  spent(noon - 1000, 3, of(0));
  spent(noon - 1001, 50, of(1));
  spent(noon - 24 * 3_600_000, 50, of(0));
  expect([guards.enter(of(0)), guards.enter(of(1)), guards.enter()]).toEqual([null, null, null]);
  // The same requests without a rule's word in their row are of no rule.
  guards.charged(charge(50 * credit, null, { client: 'codex' }));
  guards.charged(charge(2 * credit, null, of(0)));
  const refusal = [
    429,
    'rate_limit_error',
    'Jumpseat: held back because the rule for client codex, class subagent has used 5.00 of its 5 credits for ' +
      'today. They start anew on 21 Nov 2026, 00:00. Raise them in Settings → Rules (models.rules in settings.json) to ' +
      'go on now.',
    12 * 3600,
    false,
  ];
  expect(reported(guards.enter(of(0)))).toEqual(refusal);
  // In whatever order the settings name what it is for.
  expect(reported(guards.enter({ ...of(0), rule: { client: 'codex', class: 'subagent' } }))).toEqual(refusal);
  expect([guards.enter(of(1)), guards.enter()]).toEqual([null, null]);
  expect(guards.standing().map(({ scope, used, stops }) => [scope, used, stops])).toEqual([
    [{ rule: rules[0]?.when }, 5, true],
    [{ rule: {} }, 50, false],
  ]);
  spent(noon, 2, of(0));
  history.flush();
  expect(reported(begin().enter(of(0)))).toEqual(refusal);
});

it('limits of rules count each request once, for the first rule that is for it', () => {
  const whens: ModelRule['when'][] = [{}, { client: 'codex' }, { class: 'subagent' }, { model: 'opus' }, { key: 'ci' }];
  const rules = fc.array(
    fc.record({
      when: fc.constantFrom(...whens),
      use: fc.constant({ limit: { credits: 1_000, per: 'day', action: 'stop' } as const }),
    }),
    { minLength: 1, maxLength: 5 },
  );
  const requests = fc.array(
    fc.record({
      client: fc.constantFrom('codex', 'claude-code'),
      key: fc.constantFrom('ci', 'other'),
      class: fc.constantFrom('main', 'subagent'),
      model: fc.constantFrom('opus', 'gpt-5.2'),
      credits: fc.integer({ min: 1, max: 40 }),
    }),
    { maxLength: 20 },
  );
  fc.assert(
    fc.property(rules, requests, (list, asked) => {
      const { guards, begin, spent, history } = guard({}, list);
      const expected = list.map(() => 0);
      const none = { isIn: () => false };
      for (const [at, { credits, client, key, ...others }] of asked.entries()) {
        const rule = ruleFor(list, { client, key, session: null, ...others }, none);
        if (rule !== null) expected[rule.place - 1] = (expected[rule.place - 1] ?? 0) + credits;
        const row = { client, key, servedModel: others.model, session: null, ...(rule && { rule: rule.when }) };
        // Some before it is first asked, some after.
        if (at < asked.length / 2) spent(noon - 1000 - at, credits, row);
        else guards.charged(charge(credits * credit, null, row));
        if (at >= asked.length / 2) spent(noon - 1000 - at, credits, row);
      }
      history.flush();
      // A second rule for the same requests is never followed, and isn't listed.
      const followed = expected.filter((_, at) => list.findIndex(({ when }) => when === list[at]?.when) === at);
      for (const one of [guards, begin()]) expect(one.standing().map(({ used }) => Math.round(used))).toEqual(followed);
    }),
    { numRuns: 30 },
  );
});
