import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { AppState } from '../../../app/api/state.ts';
import { quota } from '../../../app/health/account-checks.ts';
import type { CheckRun } from '../../../app/health/check-run.ts';
import { states } from '../../main/app-state.ts';
import { startStack } from '../stack.ts';

/** A stack whose Claude Code has these settings: the person's own, and the folder's. */
async function stackWith(own: object, ofFolder: Record<string, object> = {}) {
  const home = mkdtempSync(join(tmpdir(), 'jumpseat-model-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const project = join(home, 'project');
  const files: Record<string, object> = { [join(home, '.claude', 'settings.json')]: own };
  for (const [name, settings] of Object.entries(ofFolder)) files[join(project, '.claude', name)] = settings;
  for (const [path, settings] of Object.entries(files)) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify(settings));
  }
  const stack = await startStack({ app: { project, environment: { HOME: home } } });
  onTestFinished(() => stack.close());
  return { ...stack, check: () => stack.app.check('claude-code.model') };
}

it('/model saved a name that the account lacks: which it is, and names that work', async () => {
  const { check } = await stackWith({ model: 'fable' });
  expect(await check()).toMatchObject({
    verdict: 'warning',
    finding: 'Claude Code is set to fable, which your account doesn’t have.',
    remedy: 'Choose another model with /model in Claude Code. Names that work: opus, sonnet, haiku.',
  });
});

it('the folder’s settings win, and are named', async () => {
  const { check } = await stackWith({ model: 'sonnet' }, { 'settings.local.json': { model: 'fable' } });
  expect(await check()).toMatchObject({
    verdict: 'warning',
    finding: 'Claude Code is set to fable, which your account doesn’t have.',
    remedy: expect.stringMatching(
      /^Change “model” in \S*settings\.local\.json, or choose another model with \/model\. Names that work: opus/,
    ),
  });
});

it.each([
  [{ model: 'sonnet' }, 'Set to sonnet'],
  [{ model: 'default' }, 'None is set: Claude Code’s own default'],
  [{}, 'None is set: Claude Code’s own default'],
])('nothing to warn of: %j', async (settings, finding) => {
  const { check } = await stackWith(settings);
  expect(await check()).toMatchObject({ verdict: 'passed', finding });
});

it('Claude Code that goes elsewhere has its own models', async () => {
  const { check } = await stackWith({ model: 'fable', env: { ANTHROPIC_BASE_URL: 'https://other.example' } });
  expect(await check()).toMatchObject({ verdict: 'skipped' });
});

it('no quota is known where GitHub refuses the sign-in, which is the reason', async () => {
  const found = (account: AppState['account']) => {
    const dependencies = { state: () => ({ account, quota: null }) };
    return quota({ token: () => Promise.resolve(null), dependencies } as unknown as CheckRun);
  };
  const { account } = states.refused;
  expect(await found(account)).toMatchObject({ verdict: 'skipped', finding: 'GitHub refuses the sign-in.' });
  if (account.kind !== 'signed-in') throw new Error('Nobody is signed in.');
  expect(await found({ ...account, notice: null })).toMatchObject({
    ...{ verdict: 'warning', finding: 'Not reported by GitHub.' },
  });
});
