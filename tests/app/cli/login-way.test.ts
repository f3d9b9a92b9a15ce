import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { memorySecrets } from '../../../app/adapters/movable-secrets.ts';
import { goBack, readToken, readWay, requestFor, requireRuntime } from '../../../app/cli/commands/login.ts';
import { PackageError } from '../../../app/packages/package.ts';
import { fakeGithubToken } from '../../../app/simulator/stage.ts';
import { FakeInstalledRuntime } from '../account/runtime-way.ts';
import { type Stack, startStack } from '../stack.ts';
import { paper } from './paper.ts';

describe('the options', () => {
  it('name a way, and what goes with it', () => {
    expect([readWay({}), readWay({ way: 'vscode' })]).toEqual([null, 'vscode']);
    expect(readWay({ way: 'copilot-sdk', tokenStdin: true, fetchRuntime: true })).toBe('copilot-sdk');
    expect(requestFor('vscode', {}, null)).toEqual({ kind: 'vscode' });
    expect(requestFor('copilot-sdk', {}, null)).toEqual({ kind: 'own-app' });
    expect(requestFor('copilot-sdk', { copilotLogin: true }, null)).toEqual({ kind: 'copilot-login' });
    expect(requestFor('copilot-sdk', { tokenStdin: true }, 'github_pat_1')).toEqual({
      kind: 'token',
      token: 'github_pat_1',
    });
  });

  it.each([
    [{ way: 'cursor' }, '--way must be'],
    [{ tokenStdin: true }, 'only with --way copilot-sdk'],
    [{ way: 'vscode', copilotLogin: true }, 'only with --way copilot-sdk'],
    [{ way: 'copilot-sdk', tokenStdin: true, copilotLogin: true }, 'two ways'],
  ])('%j is wrong usage', (options, words) => {
    expect(() => readWay(options)).toThrow(
      expect.objectContaining({ exitCode: 2, message: expect.stringContaining(words) }),
    );
  });

  it('a token comes whole and alone on standard input', async () => {
    expect(await readToken(Readable.from(['github_', 'pat_1\n']))).toBe('github_pat_1');
    await expect(readToken(Readable.from([' \n']))).rejects.toThrow('No token came');
    await expect(readToken(Readable.from(['x'.repeat(5000)]))).rejects.toThrow('too long');
  });
});

describe('a way alone', () => {
  it('goes back to what is stored for it, and to nothing else', async () => {
    const secrets = { ...memorySecrets({ 'github-token': fakeGithubToken }), storage: 'keychain' as const };
    const runtime = new FakeInstalledRuntime();
    const stack = await startStack({ secrets, app: { runtime } });
    onTestFinished(() => stack.close());
    runtime.simulator = stack.simulator;
    const { app, simulator } = stack;
    const inUse = () => app.state().admission.credential;
    expect(await goBack(app, 'copilot-sdk', {})).toBe(false);
    await app.signInWith({ kind: 'token', token: simulator.ownToken });
    expect([await goBack(app, 'copilot-sdk', {}), inUse()]).toEqual([false, 'token']);
    expect([await goBack(app, 'vscode', {}), inUse()]).toEqual([true, 'vscode']);
    expect([await goBack(app, 'copilot-sdk', { copilotLogin: true }), inUse()]).toEqual([false, 'vscode']);
    expect([await goBack(app, 'copilot-sdk', {}), inUse()]).toEqual([true, 'token']);
  });
});

describe('the runtime', () => {
  let stack: Stack;
  let runtime: FakeInstalledRuntime;
  beforeEach(async () => {
    runtime = new FakeInstalledRuntime();
    runtime.isHere = false;
    stack = await startStack({ idle: true, app: { runtime } });
  });
  afterEach(() => stack.close());
  const require = (
    terminal: ReturnType<typeof paper>,
    options: { fetchRuntime?: boolean; copilotLogin?: boolean } = {},
  ) =>
    requireRuntime(
      { terminal, env: {}, open: () => Promise.reject(new Error('not here')) },
      stack.app,
      options,
      new AbortController().signal,
    );

  it('is fetched after a yes, with its size said before', async () => {
    const terminal = paper(true, 'yes');
    await require(terminal);
    expect(terminal.text).toContain('It is fetched from the npm registry, 47 MB.');
    expect(runtime.fetched).toBe(1);
    const again = paper(true, 'n');
    await require(again, { copilotLogin: true });
    expect(again.text).toBe(
      'The Copilot CLI’s sign-in may do more than Copilot needs: read and write your repositories, gists and codespaces.\n',
    );
  });

  it.each([[paper(true, 'n')], [paper(true, null)], [paper()]])('is not fetched without one', async (terminal) => {
    await expect(require(terminal)).rejects.toMatchObject({ message: 'Nothing was fetched and nothing was changed.' });
    expect(runtime.fetched).toBe(0);
  });

  it('is fetched unasked only where an option says so, and a fault is told', async () => {
    runtime.trouble = new PackageError('network', 'Nobody answered.', 'Try again.');
    await expect(require(paper(), { fetchRuntime: true })).rejects.toThrow('Nobody answered.');
    runtime.trouble = null;
    await require(paper(), { fetchRuntime: true });
    expect(runtime.fetched).toBe(1);
  });
});
