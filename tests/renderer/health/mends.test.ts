import { expect, it } from 'vitest';
import type { Check } from '../../../app/api/state.ts';
import { mendOf } from '../../../renderer/health/mends.ts';
import { appState } from '../../main/app-state.ts';

const parts = { app: appState(), actions: {}, services: {}, showSetup: () => undefined } as never;
const check = (given: Partial<Check>): Check => ({
  id: 'account.signed-in',
  group: 'account',
  title: 'Signed in',
  verdict: 'failed',
  finding: 'No.',
  mend: 'Any words.',
  ...given,
});

it('the button stands for words that are for a terminal, whatever they say', () => {
  expect(mendOf(check({ mendFor: 'terminal' }), parts)).toMatchObject({ words: null, action: { label: 'Sign in' } });
  expect(mendOf(check({ mend: 'Run "jumpseat login".' }), parts)).toMatchObject({
    words: 'Run "jumpseat login".',
    action: { label: 'Sign in' },
  });
});

it('what is for a terminal is said where there is no button', () => {
  const mend = mendOf(check({ id: 'claude-code.version', mendFor: 'terminal' }), parts);
  expect(mend).toEqual({ words: 'Any words.', action: null });
});

it('what was found decides, and not its sentence', () => {
  const settings = check({ id: 'claude-code.settings', verdict: 'warning', finding: 'Not set up.' });
  expect(mendOf(settings, parts)?.action?.label).toBe('Show changes');
  expect(mendOf({ ...settings, found: 'not-set-up', finding: 'Other words.' }, parts)?.action?.label).toBe(
    'Set up Claude Code…',
  );
  const learned = check({ id: 'copilot.learned', verdict: 'passed', mend: null });
  expect(mendOf(learned, parts)).toBeNull();
  expect(mendOf({ ...learned, found: 'lessons' }, parts)?.action?.label).toBe('Show');
});

it('what keeps WebFetch from pages is mended in the setup, where it is chosen already', () => {
  const given: unknown[] = [];
  const mend = mendOf(check({ id: 'claude-code.webfetch', verdict: 'warning', mendFor: 'terminal' }), {
    ...Object(parts),
    showSetup: (choices: unknown) => given.push(choices),
  });
  mend?.action?.run();
  expect([mend?.words, given]).toEqual([null, [{ skipWebFetchPreflight: true }]]);
});
