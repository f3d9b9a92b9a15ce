import { expect, it } from 'vitest';
import type { Exchange } from '../../../app/api/exchange.ts';
import { webFetchFinding } from '../../../app/health/web-fetch-check.ts';
import { exchange } from '../../exchange.ts';

const row = (startedAt: number, ...codes: string[]): Exchange =>
  exchange({ startedAt, fits: codes.map((code) => ({ code, count: 1, text: '' })) });

it('nothing failed', () => {
  expect(webFetchFinding([row(1, 'web-search')], false)).toMatchObject({ verdict: 'passed', mend: null });
});

it.each([
  ['webfetch-unverified', 'blocks api.anthropic.com'],
  ['webfetch-rate-limited', 'too many domains'],
])('the newest %s counts, and says what to do', (code, words) => {
  const old = code === 'webfetch-unverified' ? 'webfetch-rate-limited' : 'webfetch-unverified';
  expect(webFetchFinding([row(1, old), row(2, 'other', code), row(3)], false)).toMatchObject({
    verdict: 'warning',
    found: 'webfetch-asks-in-vain',
    finding: expect.stringContaining(words),
    mend: expect.stringContaining('--skip-webfetch-preflight'),
  });
});

it('no more once it asks no longer', () => {
  expect(webFetchFinding([row(1, 'webfetch-unverified')], true)).toMatchObject({ verdict: 'passed', mend: null });
});
