import { describe, expect, it } from 'vitest';
import { QuotaHeaders, readSnapshot } from '../../../app/account/quota-headers.ts';
import { readUser } from '../../../app/account/user.ts';
import { jsonSample, sample } from './surroundings.ts';

const recorded = Object.fromEntries(
  sample('response-headers-quota-and-ratelimit.txt')
    .trim()
    .split('\n')
    .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
);

describe('quota headers', () => {
  it('B8.5 the recorded ones', () => {
    const headers = new QuotaHeaders();
    expect(headers.note(recorded, 1000)).toBe(true);
    expect(headers.windows()).toEqual({
      session: { percentRemaining: 99.6, resetsAt: '2026-04-22T14:30:56Z', asOf: 1000 },
      weekly: { percentRemaining: 95.9, resetsAt: '2026-04-27T00:00:00Z', asOf: 1000 },
    });
    expect(headers.applyTo(null, null)).toEqual({
      world: 'unknown',
      entitlement: 300,
      remaining: 0,
      percentRemaining: 0,
      unlimited: false,
      overagePermitted: true,
      overageUsed: 1382.4,
      exhausted: false,
      resetsAt: '2026-06-01T00:00:00Z',
      asOf: 1000,
    });
  });

  it.each([
    [
      'ent=300&ov=0&ovPerm=false&rem=12.5&rst=2026-06-01T00%3A00%3A00Z&totRem=',
      {
        entitlement: 300,
        overageUsed: 0,
        overagePermitted: false,
        percentRemaining: 12.5,
        step: 0.1,
        resetsAt: '2026-06-01T00:00:00Z',
      },
    ],
    [
      'rem=5&unknown=1&rst=2026-06-01T00:00:00+02:00',
      {
        entitlement: null,
        overageUsed: null,
        overagePermitted: null,
        percentRemaining: 5,
        step: 1,
        resetsAt: '2026-06-01T00:00:00+02:00',
      },
    ],
    ['ent=300', null],
    ['rem=', null],
    ['rem=lots', null],
    ['', null],
  ])('B8.5 %s', (header, expected) => {
    expect(readSnapshot(header)).toEqual(expected);
  });

  it('B8.5 ent −1 is unlimited; then only has_quota says that nothing is left', () => {
    const headers = new QuotaHeaders();
    headers.note({ 'x-quota-snapshot-premium_models': 'ent=-1&ov=0&ovPerm=false&rem=0&rst=' }, 1);
    expect(headers.applyTo(null, null)).toMatchObject({
      unlimited: true,
      entitlement: null,
      remaining: null,
      exhausted: false,
    });
    expect(headers.applyTo(null, false)).toMatchObject({ unlimited: true, exhausted: true });
  });

  it('B8.5 chat’s header, a placeholder, is not read', () => {
    const headers = new QuotaHeaders();
    expect(headers.note({ 'x-quota-snapshot-chat': 'ent=-1&ov=0&ovPerm=false&rem=100&rst=' }, 1)).toBe(false);
    expect(headers.applyTo(null, null)).toBeNull();
  });

  it('exhausted by the header when nothing may be added', () => {
    const headers = new QuotaHeaders();
    headers.note({ 'x-quota-snapshot-premium_interactions': 'ent=300&ov=0&ovPerm=false&rem=0.0&rst=' }, 1);
    expect(headers.applyTo(null, null)?.exhausted).toBe(true);
  });

  it('B8.6 the newest of each wins, and an absent or senseless header takes nothing away', () => {
    const headers = new QuotaHeaders();
    headers.note(recorded, 1000);
    headers.note({ 'x-usage-ratelimit-session': 'rem=40&rst=2026-04-22T14%3A30%3A56Z' }, 2000);
    headers.note({ 'x-usage-ratelimit-session': '?' }, 3000);
    expect(headers.windows()).toMatchObject({
      session: { percentRemaining: 40, asOf: 2000 },
      weekly: { percentRemaining: 95.9, asOf: 1000 },
    });
    const { quota } = readUser(jsonSample('copilot_internal-user-student-token-billing.json'), 1000);
    expect(headers.applyTo(quota, null)).toBe(quota);
    headers.note(recorded, 4000);
    expect(headers.applyTo(quota, null)).toMatchObject({ world: 'credits', entitlement: 300, asOf: 4000 });
  });

  it('a rounded share does not replace the exact figure, and never raises it', () => {
    const headers = new QuotaHeaders();
    const exact = readUser(
      {
        token_based_billing: true,
        quota_snapshots: {
          premium_interactions: { entitlement: 7000, quota_remaining: 2002.13, percent_remaining: 28.6 },
        },
      },
      1000,
    ).quota;
    const left = (rem: string, now: number) => {
      headers.note({ 'x-quota-snapshot-premium_interactions': `ent=7000&ov=0&ovPerm=false&rem=${rem}&rst=` }, now);
      return headers.applyTo(exact, null)?.remaining;
    };
    expect(left('28.6', 2000)).toBe(2002.13);
    expect(left('28.5', 3000)).toBe(2002);
    expect(left('28.3', 4000)).toBe(1988);
    expect(left('0.0', 5000)).toBe(0);
    // A new cycle.
    expect(left('100.0', 6000)).toBe(6993);
  });

  it('the same again costs no change, only a newer time', () => {
    const headers = new QuotaHeaders();
    headers.note(recorded, 1000);
    expect(headers.note(recorded, 2000)).toBe(false);
    expect(headers.note({}, 3000)).toBe(false);
    expect(headers.windows().weekly?.asOf).toBe(2000);
  });
});
