import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { english, showLanguage } from '../../../app/language/language.ts';
import {
  billedCredits,
  bytes,
  counted,
  creditAmount,
  creditsOf,
  exact,
  grouped,
  premiumRequests,
  price,
  quotaAmount,
  roundedParts,
  share,
  tokenCount,
  tokenLimit,
  typedNumber,
} from '../../../app/words/numbers.ts';

describe('figures', () => {
  it.each([
    [tokenCount(0), '0'],
    [tokenCount(702), '702'],
    [tokenCount(150_000), '150,000'],
    [tokenCount(1_240_000), '1.24M'],
    [tokenCount(999_999), '999,999'],
    [tokenLimit(168_000), '168k'],
    [tokenLimit(936_000), '936k'],
    [tokenLimit(null), '–'],
    [creditsOf(7_528_000_000), '7.53'],
    [creditsOf(1), '<0.01'],
    [creditsOf(99_994_000_000), '99.99'],
    [creditsOf(99_995_000_000), '100'],
    [creditsOf(1_385_690_000_000), '1,386'],
    [billedCredits(7_528_000_000), '7.528'],
    [billedCredits(1), '<0.001'],
    [premiumRequests(27), '27'],
    [premiumRequests(0.33), '0.33'],
    [premiumRequests(603), '603'],
    [quotaAmount(7000, 'credits'), '7,000'],
    [quotaAmount(6972, 'credits'), '6,972'],
    [quotaAmount(69.4, 'credits'), '69.4'],
    [quotaAmount(70, 'credits'), '70'],
    // Half goes up, whatever the machine makes of 3.585 and 1.195.
    ...[3.585, 1.195, 1.005].map((credits, at) => [creditAmount(credits), ['3.59', '1.20', '1.01'][at] ?? '']),
    [quotaAmount(0, 'credits'), '0'],
    [quotaAmount(27, 'premium'), '27'],
    [quotaAmount(0.33, 'premium'), '0.33'],
    [quotaAmount(40, 'unknown'), '40'],
    [price(500), '500'],
    [price(12.5), '12.5'],
    [price(0.25), '0.25'],
    [price(0), '0'],
    [price(null), '–'],
    [exact(0.6), '0.6'],
    [exact(1_000), '1,000'],
    [exact(12.25), '12.25'],
    [share(0.921), '92.1%'],
    [bytes(41_800_000), '41.8 MB'],
    [bytes(999), '999 bytes'],
    [bytes(999_960), '1.0 MB'],
    [grouped(-1234.5, 1), '-1,234.5'],
    [grouped(-0.001, 2), '0.00'],
    [counted(1, 'request'), '1 request'],
    [counted(86_412, 'request'), '86,412 requests'],
  ])('%s', (shown, wanted) => expect(shown).toBe(wanted));
});

it('parts add up to their sum, both as they are shown', () => {
  const amount = fc.integer({ min: 0, max: 500_000_000 }).map((millionths) => millionths / 1e6);
  const read = (shown: string): number => Number(shown.replaceAll(',', '').replace('<0.01', '0'));
  fc.assert(
    fc.property(fc.array(amount, { maxLength: 12 }), (parts) => {
      const whole = parts.reduce((sum, part) => sum + part, 0);
      const shown = roundedParts(parts).map((part) => read(creditAmount(part)));
      const sum = shown.reduce((all, part) => all + part, 0);
      expect(read(creditAmount(Number(sum.toFixed(2))))).toBe(read(creditAmount(whole)));
      for (const [index, part] of parts.entries())
        expect(Math.abs((shown[index] ?? 0) - part)).toBeLessThan(part < 99.9 ? 0.02 : 2);
    }),
  );
});

describe('a number that is typed', () => {
  afterEach(() => showLanguage(english));

  it.each([
    ['en', '7000', 7000],
    ['en', '7,000', 7000],
    ['en', '7,000.5', 7000.5],
    ['en', '0.5', 0.5],
    ['en', '0,5', 0.5],
    ['en', '1,50', 1.5],
    ['en', '1.000', null],
    ['en', '1.000,5', null],
    ['de', '0,5', 0.5],
    ['de', '0.5', 0.5],
    ['de', '7.000', 7000],
    ['de', '1.234.567,25', 1_234_567.25],
    ['de', '7,000', null],
    ['ja', '7,000', 7000],
    ['de', '', null],
    ['de', 'viel', null],
    ['en', '-1', null],
  ])('%s: %s', (tag, text, value) => {
    if (tag !== 'en') showLanguage({ tag, message: () => null });
    expect(typedNumber(text)).toBe(value);
  });
});
