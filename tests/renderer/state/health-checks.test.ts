import { expect, it } from 'vitest';
import type { Check } from '../../../app/api/state.ts';
import { verdictSentence } from '../../../app/words/checks.ts';
import { whileOff } from '../../../renderer/state/health-checks.ts';

const check = (given: Partial<Check>): Check => ({
  id: 'server.address',
  group: 'server',
  title: 'Address',
  verdict: 'warning',
  finding: 'Nothing listens on 127.0.0.1:4180.',
  mend: 'Run "jumpseat serve", or turn the proxy on in the tray app.',
  ...given,
});

it('a proxy that was switched off is no warning of its address, and the one sentence says that nothing works', () => {
  const off = whileOff(check({}));
  expect(off).toEqual(check({ verdict: 'skipped', finding: 'Off', mend: null }));
  expect(verdictSentence([off, check({ id: 'account.quota' })])).toBe('Claude Code can’t work: the proxy is off');
});

it('no report says that Claude Code can work where nothing listens', () => {
  expect(verdictSentence([check({}), check({ id: 'account.quota' })])).toBe('Claude Code can’t work: the proxy is off');
});

it('what failed is said first, and other findings stay as they are', () => {
  const failed = check({ verdict: 'failed', finding: 'Port 4180 is in use by node (pid 1).' });
  const other = check({ id: 'account.storage' });
  const served = check({ verdict: 'passed', finding: '127.0.0.1:4180 is served by node (pid 1)' });
  expect([failed, other, served].map(whileOff)).toEqual([failed, other, served]);
  const signedOut = check({ id: 'account.signed-in', verdict: 'failed', finding: 'Not signed in.' });
  expect(verdictSentence([whileOff(check({})), signedOut])).toBe('Claude Code can’t work: not signed in');
});
