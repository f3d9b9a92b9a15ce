import { describe, expect, it } from 'vitest';
import { readUser } from '../../../app/account/user.ts';
import { jsonSample, sample } from './surroundings.ts';

const asOf = Date.UTC(2026, 5, 2);

describe('user info', () => {
  it('B8.1 a student with token billing: the premium bucket holds the credits', () => {
    expect(readUser(jsonSample('copilot_internal-user-student-token-billing.json'), asOf)).toEqual({
      login: 'student-user',
      plan: 'individual',
      sku: 'free_educational_quota',
      hasQuota: null,
      quota: {
        world: 'credits',
        entitlement: 200,
        remaining: 150,
        percentRemaining: 100,
        unlimited: false,
        overagePermitted: false,
        overageUsed: 0,
        exhausted: false,
        resetsAt: '2026-07-01T00:00:00.000Z',
        asOf,
      },
    });
  });

  it('B8.2 business seats: the figure of the seat, overage allowed', () => {
    const seats: Record<string, unknown>[] = JSON.parse(
      sample('copilot_internal-user-business-token-billing.table.json'),
    );
    const quotas = seats.map(
      ({ reset, ...premium_interactions }) =>
        readUser(
          {
            copilot_plan: 'business',
            token_based_billing: true,
            quota_reset_date: reset,
            quota_snapshots: { premium_interactions },
          },
          asOf,
        ).quota,
    );
    expect(quotas[0]).toEqual({
      world: 'credits',
      entitlement: 10_000,
      remaining: 4462.8,
      percentRemaining: 44.6,
      unlimited: false,
      overagePermitted: true,
      overageUsed: 0,
      exhausted: false,
      resetsAt: '2026-07-01',
      asOf,
    });
    expect(quotas.map((quota) => quota?.remaining)).toEqual([4462.8, 4484.3, 3157.7]);
  });

  it('B8.3 placeholders are not shown as an unlimited plan', () => {
    const { chat, completions } = jsonSample('copilot_internal-user-student-token-billing.json')
      .quota_snapshots as Record<string, unknown>;
    expect(readUser({ token_based_billing: true, quota_snapshots: { chat, completions } }, asOf).quota).toBeNull();
    expect(readUser({ quota_snapshots: { premium_interactions: {} } }, asOf).quota).toBeNull();
    expect(readUser({}, asOf)).toEqual({ login: null, plan: null, sku: null, quota: null, hasQuota: null });
  });

  it.each([
    [{ unlimited: true, has_quota: false, overage_permitted: false }, true],
    [{ unlimited: true, has_quota: true, overage_permitted: false }, false],
    [{ unlimited: true, has_quota: false, overage_permitted: true }, false],
    [{ unlimited: false, entitlement: 300, percent_remaining: 0, overage_permitted: false }, true],
    [{ unlimited: false, entitlement: 300, percent_remaining: -4, overage_permitted: false }, true],
    [{ unlimited: false, entitlement: 300, percent_remaining: 0, overage_permitted: true }, false],
    [{ unlimited: false, entitlement: 300, percent_remaining: 0.1, overage_permitted: false }, false],
    [{ unlimited: false, entitlement: 300, percent_remaining: 40, has_quota: false, overage_permitted: false }, true],
  ])('B8.4 %j → exhausted %s', (premium_interactions, exhausted) => {
    expect(readUser({ quota_snapshots: { premium_interactions } }, asOf).quota?.exhausted).toBe(exhausted);
  });

  it('an older plan counts premium requests', () => {
    const premium_interactions = { entitlement: 300, remaining: 120, percent_remaining: 40, unlimited: false };
    expect(readUser({ quota_snapshots: { premium_interactions } }, asOf).quota).toMatchObject({
      world: 'premium',
      remaining: 120,
    });
  });

  it('B8.7 the free plan: chats of the month', () => {
    const free = {
      login: 'free-user',
      access_type_sku: 'free_limited_copilot',
      copilot_plan: 'free',
      limited_user_quotas: { chat: 12, completions: 1800 },
      monthly_quotas: { chat: 50, completions: 2000 },
      limited_user_reset_date: '2026-12-01',
    };
    expect(readUser(free, asOf)).toEqual({
      login: 'free-user',
      plan: 'free',
      sku: 'free_limited_copilot',
      hasQuota: null,
      quota: {
        world: 'premium',
        entitlement: 50,
        remaining: 12,
        percentRemaining: 24,
        unlimited: false,
        overagePermitted: false,
        overageUsed: null,
        exhausted: false,
        resetsAt: '2026-12-01',
        asOf,
      },
    });
    expect(readUser({ ...free, limited_user_quotas: { chat: 0 } }, asOf).quota?.exhausted).toBe(true);
  });
});
