import { expect, it } from 'vitest';
import type { Account } from '../../../app/account/account.ts';
import { QuotaWatch } from '../../../app/health/quota-watch.ts';

const hour = 60 * 60_000;

it('asks for the quota after a request, every five minutes at most, also after the clock was put back', () => {
  let now = 100 * hour;
  let asked = 0;
  const readUser = (): Promise<void> => {
    asked += 1;
    return Promise.resolve();
  };
  const watch = new QuotaWatch({ quota: () => null, readUser } as Partial<Account> as Account, { now: () => now });
  const endedAt = (at: number): number => {
    now = at;
    watch.requestEnded();
    return asked;
  };
  expect(endedAt(100 * hour)).toBe(1);
  expect(endedAt(100 * hour + 4 * 60_000)).toBe(1);
  expect(endedAt(100 * hour + 6 * 60_000)).toBe(2);
  expect(endedAt(98 * hour)).toBe(3);
  expect(endedAt(98 * hour + 60_000)).toBe(3);
});
