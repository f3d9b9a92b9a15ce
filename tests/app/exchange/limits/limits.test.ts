import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Charge } from '../../../../app/api/exchange.ts';
import { Guards } from '../../../../app/exchange/limits/limits.ts';
import type { ClientError } from '../../../../app/exchange/recover/error.ts';
import { openHistory } from '../../../../app/history/history.ts';
import type { Settings } from '../../../../app/settings/settings.ts';
import { HandClock } from '../../account/hand-clock.ts';
import { exampleExchange } from '../../history/example.ts';
import { collectingLog, temporaryFolder } from '../../history/surroundings.ts';

const credit = 1e9;
const noon = new Date(2026, 10, 20, 12).getTime();

const noLimits: Settings['limits'] = {
  requestsPerMinute: null,
  creditsPerDay: null,
  premiumRequestsPerDay: null,
  askBeforeBurst: false,
  burstPerMinute: 60,
};
const charge = (nanoAiu: number | null, premiumRequests: number | null = null) => ({ nanoAiu, premiumRequests });

/** A person's guards over a history of their own. */
function guard(limits: Partial<Settings['limits']>) {
  const clock = new HandClock(noon);
  clock.held = true;
  const { history } = openHistory(join(temporaryFolder(), 'history.db'), { clock, log: collectingLog() });
  onTestFinished(() => history.close());
  const settings: Settings['limits'] = { ...noLimits, ...limits };
  const guards = new Guards({ history, clock, limits: () => settings });
  const spent = (startedAt: number, credits: number): void =>
    history.record(
      exampleExchange({
        id: `ex-${startedAt}`,
        startedAt,
        charge: { kind: 'billed', nanoAiu: credits * credit, premiumRequests: null, partial: false, details: [] },
      }),
    );
  return { clock, history, settings, guards, spent };
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
      'raise it in Settings → Proxy (limits.requestsPerMinute in settings.json).',
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
    'Jumpseat: held back because 5.000 of the 5 credits you allow for a day are used. They start anew on 21 ' +
      'Nov 2026, 00:00. Raise them in Settings → Proxy (limits.creditsPerDay in settings.json) to go on now.',
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
      'anew on 21 Nov 2026, 00:00. Raise them in Settings → Proxy (limits.premiumRequestsPerDay in ' +
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
