import { expect, it } from 'vitest';
import type { AgentSources } from '../../../app/api/sessions.ts';
import { sessionProgramFinding } from '../../../app/health/session-program-check.ts';

const sources: AgentSources = {
  ...{ chosen: 'fetched', own: null, file: null, leaderBytes: 0, wasLed: true, oldest: '2.1.273' },
  copy: { version: '2.1.320', isHere: true, bytes: 0, newer: { version: '2.1.328', bytes: 172_000_000 } },
};

it('says which Claude Code sessions run with, and where a newer one can be fetched', () => {
  const found = { available: true, version: '2.1.320', from: 'fetched' } as const;
  expect(sessionProgramFinding({ found, sources })).toEqual({
    verdict: 'passed',
    finding: '2.1.320, the copy that Jumpseat fetched. 2.1.328 can be fetched: “Update” in Settings → Sessions',
    mend: null,
  });
  // One of the person's own is theirs to update.
  expect(sessionProgramFinding({ found: { ...found, from: 'own' }, sources }).finding).toBe(
    '2.1.320, the claude on this machine',
  );
});

it('warns only where sessions were set up', () => {
  const found = { available: false, reason: 'The Agent SDK isn’t here.', mend: 'Let Jumpseat fetch it.' } as const;
  expect(sessionProgramFinding({ found: { ...found, isChosen: true }, sources })).toEqual({
    ...{ verdict: 'warning', finding: 'The Agent SDK isn’t here.', mend: 'Let Jumpseat fetch it.' },
  });
  expect(sessionProgramFinding({ found: { ...found, isChosen: false }, sources: null })).toEqual({
    ...{ verdict: 'skipped', finding: 'Not set up. The Agent SDK isn’t here.', mend: null },
  });
});
