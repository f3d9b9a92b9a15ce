import { describe, expect, it } from 'vitest';
import type { Quota } from '../../../app/api/account.ts';
import type { AppState } from '../../../app/api/state.ts';
import { quotaFoot, quotaWords, seatNote } from '../../../app/words/quota.ts';
import { quota as usualQuota } from '../../main/app-state.ts';

const reach: AppState['reach'] = { kind: 'directly' };
const reset = new Date(2026, 11, 1, 1, 0).toISOString();
const now = new Date(2026, 10, 20, 10, 20).getTime();
const account: AppState['account'] = {
  kind: 'signed-in',
  login: 'octo-demo',
  plan: 'individual_pro',
  sku: null,
  apiHost: null,
  token: null,
  notice: null,
};
const quota = (change: Partial<Quota> = {}): Quota => ({ ...usualQuota, resetsAt: reset, asOf: now, ...change });

describe('the quota at the foot', () => {
  it('where GitHub refuses the sign-in is of when it was read last', () => {
    const notice = { id: 'sign-in-refused', title: 'GitHub refuses the sign-in', message: '', url: null };
    const refused = { account: { ...account, notice }, reach, quota: quota() };
    expect(quotaFoot(refused, now)).toMatchObject({ stale: true, line: 'as of 10:20 · resets 1 Dec' });
    expect(quotaFoot({ ...refused, quota: null }, now)).toEqual({ kind: 'refused' });
    expect(quotaFoot({ account, reach, quota: null }, now)).toEqual({ kind: 'reading' });
    expect(quotaWords(null, refused.account)).toBe('GitHub refuses the sign-in');
    expect(quotaWords(null, account)).toBe('Not reported by GitHub');
    expect(quotaFoot({ ...refused, account }, now)).toMatchObject({ stale: false, line: 'of 7,000 · resets 1 Dec' });
  });

  it('of a seat says whose it is, and what is not in it', () => {
    const seat = { account: { ...account, plan: 'business' }, reach, quota: quota({ remaining: 3120.4 }) };
    expect(quotaFoot(seat, now)).toMatchObject({
      figure: '3,120',
      unit: 'credits left',
      line: 'your seat · resets 1 Dec',
      spoken: '3,880 of 7,000 credits used',
    });
    expect(seatNote(seat)).toBe('Your organization’s shared pool isn’t visible to Jumpseat.');
    expect([seatNote({ account }), seatNote({ account: { kind: 'signed-out' } })]).toEqual([null, null]);
  });

  it.each([
    ['credits', quota(), '2,002', 'credits left', 'of 7,000 · resets 1 Dec', 'fine'],
    [
      'premium',
      quota({ world: 'premium', entitlement: 1500, remaining: 477 }),
      '477',
      'premium left',
      'of 1,500 · resets 1 Dec',
      'fine',
    ],
    ['nearly gone', quota({ remaining: 698.4 }), '698', 'credits left', 'of 7,000 · resets 1 Dec', 'warning'],
    ['almost gone', quota({ remaining: 10 }), '10', 'credits left', 'of 7,000 · resets 1 Dec', 'danger'],
    ['exhausted', quota({ remaining: 0, exhausted: true }), '0', 'credits left', 'until 1 Dec, 01:00', 'danger'],
    [
      'a budget in use',
      quota({ remaining: 0, overagePermitted: true, overageUsed: 12.4 }),
      '0',
      'included left',
      '+12.4 credits on your GitHub budget',
      'danger',
    ],
    // Copilot refused one, so the budget is used up, too.
    [
      'a budget that is used up',
      quota({ remaining: 0, overagePermitted: true, overageUsed: 12.4, exhausted: true }),
      '0',
      'credits left',
      'until 1 Dec, 01:00',
      'danger',
    ],
    [
      'old',
      quota({ asOf: new Date(2026, 10, 20, 10, 9).getTime() }),
      '2,002',
      'credits left',
      'as of 10:09 · resets 1 Dec',
      'fine',
    ],
    ['unlimited', quota({ unlimited: true }), 'Unlimited', 'credits', 'resets 1 Dec', 'fine'],
    ['no end known', quota({ entitlement: null, resetsAt: null }), '2,002', 'credits left', '', 'fine'],
    ['a share alone', quota({ remaining: null }), '28.6%', 'credits left', 'resets 1 Dec', 'fine'],
  ])('%s', (_case, value, figure, unit, line, tone) => {
    expect(quotaFoot({ account, reach, quota: value }, now)).toMatchObject({ kind: 'known', figure, unit, line, tone });
  });

  it('says what is used, for who cannot see the bar', () => {
    expect(quotaFoot({ account, reach, quota: quota() }, now)).toMatchObject({
      spoken: '4,998 of 7,000 credits used',
      spokenLeft: '2,002 of 7,000 credits left',
    });
  });

  it('counts chat messages on the free plan', () => {
    const free = { ...account, sku: 'free_limited_copilot' };
    const value = quota({ world: 'unknown', entitlement: 50, remaining: 38 });
    expect(quotaFoot({ account: free, reach, quota: value }, now)).toMatchObject({
      figure: '38',
      unit: 'chat messages left',
    });
  });

  it('says nothing that is not known', () => {
    expect(quotaFoot({ account, reach, quota: null }, now)).toEqual({ kind: 'reading' });
    expect(quotaFoot({ account: { kind: 'signed-out' }, reach, quota: quota() }, now)).toEqual({ kind: 'signed-out' });
  });
});
