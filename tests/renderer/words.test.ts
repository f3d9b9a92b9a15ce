import { describe, expect, it } from 'vitest';
import type { Charge } from '../../app/api.ts';
import { chargeText } from '../../renderer/words.ts';

const charge = (change: Partial<Charge>): Charge => ({
  kind: 'billed',
  nanoAiu: null,
  premiumRequests: null,
  partial: false,
  details: [],
  ...change,
});

describe('what a request cost, in words', () => {
  it.each([
    [charge({ nanoAiu: 1_234_000_000 }), '1.234 credits'],
    [charge({ premiumRequests: 0.33 }), '0.33 premium'],
    [charge({ kind: 'free' }), 'free'],
    [charge({ kind: 'unknown' }), 'unknown'],
    [charge({ kind: 'none' }), '–'],
    [charge({ kind: 'pending' }), '…'],
  ])('%#: $1', (value, text) => {
    expect(chargeText(value)).toBe(text);
  });
});
