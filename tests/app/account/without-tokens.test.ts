import { expect, it } from 'vitest';
import { withoutTokens } from '../../../app/account/without-tokens.ts';

it.each([
  ['bad ghu_AbCdEf0123456789 there', 'bad [redacted] there'],
  ['"gho_AbCdEf0123456789"', '"[redacted]"'],
  ['github_pat_11AAAA_bbbb', '[redacted]'],
  ['{"message":"token tid=1f;exp=1795178449;sku=x:ab12 expired"}', '{"message":"token [redacted] expired"}'],
  ['max_tokens: 3 > 2', 'max_tokens: 3 > 2'],
])('%s', (text, clean) => expect(withoutTokens(text)).toBe(clean));
