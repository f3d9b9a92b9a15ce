import { describe, expect, it } from 'vitest';
import type { UsageWindow } from '../../../app/api/account.ts';
import type { CopilotFailure } from '../../../app/copilot/failures.ts';
import { UpstreamWatch } from '../../../app/health/upstream-watch.ts';
import { failure } from '../copilot/failure.ts';

const start = 1_795_000_000_000;
const second = 1_000;

/** Time that moves only when told, and wakes who waits for it. */
function handClock() {
  let at = start;
  let sleepers: { until: number; wake: () => void }[] = [];
  return {
    clock: {
      now: () => at,
      ticks: () => at,
      sleep: (ms: number, signal?: AbortSignal) =>
        new Promise<void>((resolve, reject) => {
          const sleeper = { until: at + ms, wake: resolve };
          sleepers.push(sleeper);
          signal?.addEventListener('abort', () => {
            sleepers = sleepers.filter((other) => other !== sleeper);
            reject(signal.reason);
          });
        }),
    },
    waiting: () => sleepers.length,
    async pass(ms: number): Promise<void> {
      const end = at + ms;
      for (;;) {
        const next = sleepers.filter(({ until }) => until <= end).sort((a, b) => a.until - b.until)[0];
        if (next === undefined) break;
        at = next.until;
        sleepers = sleepers.filter((other) => other !== next);
        next.wake();
        await new Promise((resolve) => setImmediate(resolve));
      }
      at = end;
    },
  };
}

const noNetwork = failure({ source: 'network', code: 'ENOTFOUND', host: 'api.githubcopilot.com' });

function setup(windows: { session?: UsageWindow; weekly?: UsageWindow } = {}) {
  const time = handClock();
  const facts = { tries: [] as number[], changes: 0, isAwaited: false };
  const watch: UpstreamWatch = new UpstreamWatch({
    clock: time.clock,
    usageWindows: () => ({ session: windows.session ?? null, weekly: windows.weekly ?? null }),
    isAwaited: () => facts.isAwaited,
    tryAgain: async () => {
      facts.tries.push((time.clock.now() - start) / second);
      watch.ended('/models', noNetwork);
    },
    changed: () => {
      facts.changes += 1;
    },
  });
  return { watch, facts, ...time };
}

describe('a lost connection', () => {
  it('is one after two tries, since the first of them', async () => {
    const { watch, pass } = setup();
    watch.ended('/v1/messages', noNetwork);
    expect(watch.offline).toBeNull();
    await pass(1 * second);
    watch.ended('/v1/messages', failure({ source: 'network', code: 'ERR_PAC', host: null }));
    expect(watch.offline).toEqual({
      host: 'api.githubcopilot.com',
      code: 'ERR_PAC',
      since: start,
      retryAt: start + 6 * second,
    });
    watch.close();
  });

  it.each([1, 2, 5])('is not looked for while nobody waits or looks, after %d failures', async (count) => {
    const { watch, pass, facts, waiting } = setup();
    for (let failed = 0; failed < count; failed += 1) watch.ended('/v1/messages', noNetwork);
    expect(waiting()).toBe(0);
    await pass(3_000 * second);
    expect(facts.tries).toEqual([]);
  });

  it('is looked for while somebody waits, at growing distances, a minute at most', async () => {
    const { watch, pass, facts, waiting } = setup();
    facts.isAwaited = true;
    watch.ended('/v1/messages', noNetwork);
    await pass(100 * second);
    expect(facts.tries).toEqual([]);
    watch.ended('/v1/messages', noNetwork);
    await pass(300 * second);
    expect(facts.tries.map((at) => at - 100)).toEqual([5, 15, 35, 75, 135, 195, 255]);
    facts.isAwaited = false;
    await pass(300 * second);
    expect([facts.tries.length, waiting()]).toEqual([7, 0]);
    facts.isAwaited = true;
    watch.awaited();
    watch.awaited();
    await pass(59 * second);
    expect(facts.tries.slice(7)).toEqual([700]);
    watch.close();
  });

  it('is looked for once for each who looks, where the last look is long enough ago', async () => {
    const { watch, pass, facts, waiting } = setup();
    await watch.lookAgain();
    watch.ended('/v1/messages', noNetwork);
    watch.ended('/v1/messages', noNetwork);
    const look = () => Promise.all([watch.lookAgain(), watch.lookAgain()]);
    await pass(4 * second);
    await look();
    await pass(1 * second);
    expect(watch.offline?.retryAt).toBe(start + 5 * second);
    await look();
    expect(watch.offline?.retryAt).toBe(start + 15 * second);
    await look();
    await pass(600 * second);
    await look();
    expect([facts.tries, waiting()]).toEqual([[5, 605], 0]);
  });

  it('is over with any answer, even a refusal, and then nobody looks any more', async () => {
    const { watch, pass, facts, waiting } = setup();
    facts.isAwaited = true;
    watch.ended('/v1/messages', noNetwork);
    watch.ended('/v1/messages', noNetwork);
    expect(waiting()).toBe(1);
    watch.ended('/models', failure({ status: 500 }));
    expect(watch.offline).toBeNull();
    await pass(300 * second);
    await watch.lookAgain();
    expect([facts.tries, waiting()]).toEqual([[], 0]);
  });

  it('is not what silence is: there was a connection', () => {
    const { watch } = setup();
    const silence = failure({ source: 'network', code: 'TIMEOUT', mayHaveArrived: true });
    for (const _ of [1, 2, 3]) watch.ended('/v1/messages', silence);
    expect(watch.offline).toBeNull();
    for (const _ of [1, 2]) watch.ended('/v1/messages', { ...silence, mayHaveArrived: false });
    expect(watch.offline).not.toBeNull();
    watch.close();
  });

  it('does not outlive the app', async () => {
    const { watch, pass, facts, waiting } = setup();
    facts.isAwaited = true;
    for (const _ of [1, 2]) watch.ended('/models', noNetwork);
    watch.close();
    await pass(300 * second);
    expect([facts.tries, waiting()]).toEqual([[], 0]);
  });
});

describe('a limit', () => {
  const until = (seconds: number) => new Date(start + seconds * second).toISOString();
  const window = (seconds: number): UsageWindow => ({ percentRemaining: 0, resetsAt: until(seconds), asOf: start });

  it.each<[string, Partial<CopilotFailure>, object | null]>([
    ['of the week', { code: 'user_weekly_rate_limited' }, { kind: 'weekly', until: start + 9_000 * second }],
    [
      'of the week, whatever the header says of the quota',
      { code: 'user_weekly_rate_limited', limitExceeded: 'quota_exceeded' },
      { kind: 'weekly', until: start + 9_000 * second },
    ],
    ['of five hours', { limitExceeded: 'global-usage-5-hour-key' }, { kind: 'session', until: start + 900 * second }],
    [
      'of the account',
      { code: 'user_global_rate_limited', retryAfterSeconds: 30 },
      { kind: 'account', until: start + 30 * second },
    ],
    [
      'of the account without a time',
      { code: 'user_global_rate_limited' },
      { kind: 'account', until: start + 60 * second },
    ],
    ['of one model', { code: 'user_model_rate_limited' }, null],
    ['of the provider', { code: 'upstream_provider_rate_limit' }, null],
  ])('%s', (_name, change, limit) => {
    const { watch } = setup({ weekly: window(9_000), session: window(900) });
    watch.ended('/v1/messages', failure({ status: 429, ...change }));
    expect(watch.limit).toEqual(limit);
    watch.close();
  });

  it('takes the wait where the window’s end is past', () => {
    const { watch } = setup({ weekly: window(-5) });
    watch.ended('/v1/messages', failure({ status: 429, code: 'user_weekly_rate_limited', retryAfterSeconds: 120 }));
    expect(watch.limit).toEqual({ kind: 'weekly', until: start + 120 * second });
    watch.close();
  });

  it('is over at its time, and says so', async () => {
    const { watch, pass, facts } = setup();
    watch.ended('/v1/messages', failure({ status: 429, code: 'user_global_rate_limited', retryAfterSeconds: 30 }));
    const before = facts.changes;
    await pass(30 * second);
    expect([watch.limit, facts.changes]).toEqual([null, before + 1]);
  });

  it('is over with an accepted request, not with a list of models', () => {
    const { watch, waiting } = setup();
    watch.ended('/v1/messages', failure({ status: 429, code: 'user_weekly_rate_limited' }));
    watch.ended('/models', null);
    expect(watch.limit).not.toBeNull();
    watch.ended('/chat/completions', null);
    expect([watch.limit, waiting()]).toEqual([null, 0]);
  });
});

describe('credits that are refused', () => {
  it.each([{ status: 402 }, { status: 429, limitExceeded: 'quota_exceeded' }])(
    '%j, until a request is accepted',
    (change) => {
      const { watch } = setup();
      watch.ended('/v1/messages', failure(change));
      watch.ended('/models', null);
      expect(watch.creditsRefused).toBe(true);
      watch.ended('/v1/messages', null);
      expect(watch.creditsRefused).toBe(false);
    },
  );

  it('until another account signs in', () => {
    const { watch } = setup();
    watch.ended('/v1/messages', failure({ status: 402 }));
    watch.forget();
    expect(watch.creditsRefused).toBe(false);
  });
});
