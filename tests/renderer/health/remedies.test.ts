import { expect, it } from 'vitest';
import type { Check } from '../../../app/api/state.ts';
import { remedyOf } from '../../../renderer/health/remedies.ts';
import { appState } from '../../main/app-state.ts';

const parts = { app: appState(), actions: {}, services: {}, showSetup: () => undefined } as never;
const check = (given: Partial<Check>): Check => ({
  id: 'account.signed-in',
  group: 'account',
  title: 'Signed in',
  verdict: 'failed',
  finding: 'No.',
  remedy: 'Any words.',
  ...given,
});

it('the button stands for words that are for a terminal, whatever they say', () => {
  expect(remedyOf(check({ remedyFor: 'terminal' }), parts)).toMatchObject({
    words: null,
    action: { label: 'Sign in' },
  });
  expect(remedyOf(check({ id: 'account.admission', remedyFor: 'terminal' }), parts)).toMatchObject({
    words: null,
    action: { label: 'Open settings' },
  });
  expect(remedyOf(check({ remedy: 'Run "jumpseat login".' }), parts)).toMatchObject({
    words: 'Run "jumpseat login".',
    action: { label: 'Sign in' },
  });
});

it('what is for a terminal is said where there is no button', () => {
  const remedy = remedyOf(check({ id: 'claude-code.version', remedyFor: 'terminal' }), parts);
  expect(remedy).toEqual({ words: 'Any words.', action: null });
});

it('what was found decides, and not its sentence', () => {
  const settings = check({ id: 'claude-code.settings', verdict: 'warning', finding: 'Not set up.' });
  expect(remedyOf(settings, parts)?.action?.label).toBe('Show changes');
  expect(remedyOf({ ...settings, found: 'not-set-up', finding: 'Other words.' }, parts)?.action?.label).toBe(
    'Set up Claude Code…',
  );
  expect(remedyOf({ ...settings, verdict: 'failed', found: 'outdated' }, parts)?.action?.label).toBe('Show changes');
  const learned = check({ id: 'copilot.learned', verdict: 'passed', remedy: null });
  expect(remedyOf(learned, parts)).toBeNull();
  expect(remedyOf({ ...learned, found: 'lessons' }, parts)?.action?.label).toBe('Show');
});

it('what keeps WebFetch from pages is fixed in the setup, where it is chosen already', () => {
  const given: unknown[] = [];
  const remedy = remedyOf(check({ id: 'claude-code.webfetch', verdict: 'warning', remedyFor: 'terminal' }), {
    ...Object(parts),
    showSetup: (choices: unknown) => given.push(choices),
  });
  remedy?.action?.run();
  expect([remedy?.words, given]).toEqual([null, [{ skipWebFetchPreflight: true }]]);
});

it('a program that another tool has changed has a button that sets it up again, and one of pasted lines leads to them', () => {
  const clients = check({ id: 'machine.clients', verdict: 'warning' });
  expect(remedyOf(clients, parts)).toMatchObject({ words: 'Any words.', action: { label: 'Open Clients' } });
  const client = { name: 'codex' as const, title: 'Codex', uses: ['models' as const] };
  expect(remedyOf({ ...clients, client }, parts)?.action?.label).toBe('Show changes');
  expect(remedyOf({ ...clients, verdict: 'skipped', remedy: null }, parts)?.action ?? null).toBe(null);
});
