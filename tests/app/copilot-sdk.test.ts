import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import { memorySecrets } from '../../app/adapters/movable-secrets.ts';
import { PackageError } from '../../app/packages/package.ts';
import type { Secrets } from '../../app/ports.ts';
import { defaultModels } from '../../app/simulator/plans.ts';
import { fakeGithubToken } from '../../app/simulator/stage.ts';
import { FakeInstalledRuntime } from './account/runtime-way.ts';
import { prompt, type Stack, startStack } from './stack.ts';

/** The way in through GitHub's runtime, in the whole product. The runtime itself is asked in tests/app/account/sdk. */

let stack: Stack;
let secrets: Secrets;
let runtime: FakeInstalledRuntime;

beforeEach(async () => {
  runtime = new FakeInstalledRuntime();
  // As on a desktop: in memory no command can sign in.
  secrets = { ...memorySecrets({ 'github-token': fakeGithubToken }), storage: 'keychain' };
  stack = await startStack({ secrets, app: { runtime } });
  runtime.simulator = stack.simulator;
});
afterEach(() => stack.close());

const signIn = () => stack.app.signInWith({ kind: 'token', token: stack.simulator.ownToken });
const sentEditors = () => stack.simulator.requests.map(({ headers }) => headers['editor-version']);

it('a request goes as GitHub’s runtime after a sign-in for it, and its row says so', async () => {
  await stack.messages(prompt('as before'));
  expect(sentEditors().every((editor) => editor?.startsWith('vscode/'))).toBe(true);
  expect(runtime.asked).toEqual([]);
  const before = stack.simulator.requests.length;
  expect(await signIn()).toEqual({ kind: 'signed-in', login: expect.any(String) });
  expect((await stack.messages(prompt('and now'))).status).toBe(200);
  expect(new Set(sentEditors().slice(before))).toEqual(new Set(['copilot/1.0.85']));
  const last = stack.simulator.requests.at(-1);
  expect(last).toMatchObject({ path: '/v1/messages', initiator: 'user', status: 200 });
  expect(last?.headers).toMatchObject({ authorization: 'Bearer <own-token>', 'copilot-integration-id': 'copilot-sdk' });
  const rows = await stack.rows(2);
  expect(rows.map(({ attempts }) => attempts[0]?.sentAs)).toEqual([
    expect.stringMatching(/^vscode\/\S+ \(vscode-chat\)$/),
    'copilot/1.0.85 (copilot-sdk)',
  ]);
  expect((await stack.app.exchange(rows[1]?.id ?? ''))?.attempts[0]?.sentAs).toBe('copilot/1.0.85 (copilot-sdk)');
  expect(stack.simulator.script.violations).toEqual([]);
  expect(stack.app.state().admission).toMatchObject({ way: 'copilot-sdk', credential: 'token' });
});

it('the runtime is asked again once Copilot refuses its endpoint, and the request is repeated once', async () => {
  await signIn();
  stack.simulator.script.next({ kind: 'answer', status: 401, body: 'unauthorized' }, '/v1/messages');
  const before = runtime.asked.length;
  expect((await stack.messages(prompt('hello'))).status).toBe(200);
  expect(runtime.asked.length).toBeGreaterThan(before);
  expect(stack.simulator.requests.filter(({ path }) => path === '/v1/messages').map(({ status }) => status)).toEqual([
    401, 200,
  ]);
});

it('ways are changed by hand and kept apart', async () => {
  await signIn();
  const kept = JSON.parse(readFileSync(join(stack.home, 'settings.json'), 'utf8'));
  expect(kept).toMatchObject({ admission: 'copilot-sdk', sdkCredential: 'token' });
  expect(await stack.app.chooseCredential('vscode')).toBe(true);
  await stack.messages(prompt('as VS Code'));
  expect(stack.simulator.requests.at(-1)?.headers['editor-version']).toMatch(/^vscode\//);
  expect(await stack.app.chooseCredential('own-app')).toBe(false);
  expect(stack.app.state().admission.way).toBe('vscode');
  expect(await stack.app.chooseCredential('token')).toBe(true);
  await stack.app.signOut();
  expect(await secrets.get('fine-grained-token')).toBeNull();
  expect(await secrets.get('github-token')).toMatch(/ghu_/);
  // Signed out of this way, and not silently in by the other one.
  expect((await stack.messages(prompt('nobody'))).status).toBe(401);
  expect(stack.app.state().account.kind).toBe('signed-out');
});

it('no request is sent by a way before GitHub has let it in', async () => {
  await signIn();
  const { promise: gate, resolve: answer } = Promise.withResolvers<void>();
  const refusal = { kind: 'answer', status: 401, body: '{"message":"Bad credentials"}', gate } as const;
  const mint = stack.simulator.script.next(refusal, '/copilot_internal/v2/token');
  const change = stack.app.chooseCredential('vscode');
  await mint.taken;
  expect((await stack.messages(prompt('meanwhile'))).status).toBe(200);
  expect(stack.simulator.requests.at(-1)?.headers).toMatchObject({ 'copilot-integration-id': 'copilot-sdk' });
  answer();
  expect(await change).toBe(false);
  expect(stack.app.state()).toMatchObject({ account: { notice: null }, admission: { credential: 'token' } });
});

it('a refused token changes nothing, and stands in no file and no line', async () => {
  const token = 'github_pat_11CANARY0thatIsRefused_0123456789';
  const result = await stack.app.signInWith({ kind: 'token', token });
  expect(result).toMatchObject({ kind: 'failed', text: 'GitHub refused it. Nothing was stored.' });
  await signIn();
  await stack.messages(prompt('hello'));
  expect(await secrets.get('fine-grained-token')).toContain(stack.simulator.ownToken);
  const files = readdirSync(stack.home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const texts = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1'));
  for (const text of [...texts, JSON.stringify(stack.log), JSON.stringify(stack.app.state()), JSON.stringify(result)]) {
    for (const canary of [token, stack.simulator.ownToken]) expect(text).not.toContain(canary);
  }
});

it('a sign-in that GitHub took back is said with its reason, and with a command for the way in use', async () => {
  const said = async () => {
    const answer = await stack.messages(prompt('hello'));
    const { code, remedy } = JSON.parse((await stack.send({ path: '/readyz' })).text);
    return [answer.status, (answer.json() as { error: { message: string } }).error.message, code, remedy];
  };
  const sdk =
    'Sign in again in Settings → Account, or run "jumpseat login --way copilot-sdk --token-stdin < FILE". Or sign in ' +
    'as VS Code: Settings → Account, or "jumpseat login --way vscode".';
  await signIn();
  runtime.simulator = { ...stack.simulator, ownToken: 'another' };
  stack.simulator.script.next({ kind: 'answer', status: 401, body: 'unauthorized' }, '/v1/messages');
  expect(await said()).toEqual([401, `Jumpseat: GitHub refused it. ${sdk}`, 'signed-out', sdk]);
  // Without more, this command can't sign in: it says so, and how.
  expect(await stack.app.signIn()).toMatchObject({ kind: 'failed', remedy: sdk });
  await stack.app.signOut();
  expect(await said()).toEqual([401, `Jumpseat: Not signed in to GitHub. ${sdk}`, 'signed-out', sdk]);
  expect(await stack.app.chooseCredential('vscode')).toBe(true);
  stack.simulator.script.revokeGithubToken();
  stack.simulator.script.next({ kind: 'answer', status: 401, body: 'unauthorized' }, '/v1/messages');
  const vscode = 'Run "jumpseat login", or click “Sign in” in Jumpseat’s window.';
  expect(await said()).toEqual([
    401,
    `Jumpseat: GitHub refuses the sign-in. ${vscode} Or sign in through GitHub’s Copilot SDK: Settings → Account.`,
    'signed-out',
    vscode,
  ]);
});

it('a model that only the other way has is said with that way, also after a start, and never for another person', async () => {
  const home = mkdtempSync(join(tmpdir(), 'jumpseat-listed-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  await signIn();
  const { account } = stack.app.state();
  const login = account.kind === 'signed-in' ? String(account.login) : '';
  const again = async () => {
    await stack.close();
    // As GitHub's runtime of this test names it.
    stack = await startStack({ home, secrets, app: { runtime }, simulator: { user: { login } } });
    runtime.simulator = stack.simulator;
  };
  await again();
  await stack.app.refresh();
  const all = (await stack.app.models()).models.map(({ id }) => id);
  expect(all).toContain('gpt-5.4');
  await secrets.set('fine-grained-token', stack.simulator.ownToken);
  writeFileSync(join(home, 'settings.json'), JSON.stringify({ admission: 'copilot-sdk', sdkCredential: 'token' }));
  await again();
  stack.simulator.script.setModels(
    defaultModels().filter((model) => !JSON.stringify(model).includes('"id":"gpt-5.4"')),
  );
  const answer = await stack.messages(prompt('hi', { model: 'gpt-5.4' }));
  const said = expect.stringContaining('It did for VS Code’s sign-in, while you were signed in that way.');
  expect([answer.status, answer.text]).toEqual([404, said]);
  expect(await stack.app.explainModel('gpt-5.4')).toMatchObject({
    kind: 'other-way',
    text: said,
    remedy: expect.stringContaining('jumpseat login --way vscode'),
  });
  await stack.app.refresh();
  expect((await stack.app.explainModel('gpt-5.4')).kind).toBe('other-way');
  const listed = join(home, 'cache', 'models.json');
  writeFileSync(listed, readFileSync(listed, 'utf8').replaceAll(login, 'somebody'));
  expect(await stack.app.explainModel('gpt-5.4')).toMatchObject({ kind: 'not-in-catalog' });
});

it('the runtime is fetched when it is asked for, and never before', async () => {
  runtime.isHere = false;
  await stack.app.runtime();
  expect(stack.app.state().admission.runtime).toEqual({
    ...{ kind: 'absent', version: '1.0.14', bytes: 46_892_059, problem: null },
  });
  await stack.messages(prompt('hello'));
  expect(runtime.fetched).toBe(0);
  await Promise.all([stack.app.fetchRuntime(), stack.app.fetchRuntime()]);
  expect(runtime.fetched).toBe(1);
  expect(stack.app.state().admission.runtime).toEqual({ kind: 'ready', version: '1.0.14' });
});

it('a fetch that fails is told and can be tried again', async () => {
  runtime.isHere = false;
  await stack.app.runtime();
  runtime.trouble = new PackageError('network', 'Nobody answered.', 'Try again.');
  await expect(stack.app.fetchRuntime()).rejects.toThrow('Nobody answered.');
  expect(stack.app.state().admission.runtime).toMatchObject({
    kind: 'absent',
    problem: { code: 'fetch-network', text: 'Nobody answered.', remedy: 'Try again.' },
  });
  runtime.trouble = null;
  await stack.app.fetchRuntime();
  expect(stack.app.state().admission.runtime.kind).toBe('ready');
});

it('doctor says as whom requests go out', async () => {
  expect(await stack.app.check('account.admission')).toMatchObject({
    verdict: 'passed',
    finding: expect.stringContaining('Sent as VS Code'),
  });
  await signIn();
  expect(await stack.app.check('account.admission')).toMatchObject({
    verdict: 'passed',
    finding: expect.stringMatching(
      /^Sent through GitHub’s Copilot SDK.*copilot\/1\.0\.85 \(copilot-sdk\).*experimental/,
    ),
  });
});

it.each([
  ['the first account', { admission: 'copilot-sdk', sdkCredential: 'token' }],
  [
    'a further one',
    {
      accounts: [
        { id: 'b', slot: 2, name: 'Work', signIn: { login: 'octo', signedInAt: 1, credential: 'token' as const } },
      ],
      accountInUse: 'b',
    },
  ],
])(
  'a token from outside goes as VS Code, and that is said where the settings want the other way (%s)',
  async (_name, settings) => {
    await stack.close();
    const home = mkdtempSync(join(tmpdir(), 'jumpseat-way-'));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    writeFileSync(join(home, 'settings.json'), JSON.stringify(settings));
    stack = await startStack({ home, secrets, app: { runtime, githubToken: fakeGithubToken } });
    runtime.simulator = stack.simulator;
    await stack.messages(prompt('hello'));
    expect(stack.simulator.requests.at(-1)?.headers['editor-version']).toMatch(/^vscode\//);
    expect(stack.app.state().warnings.map(({ code }) => code)).toContain('way-from-outside');
    expect(stack.app.state().admission.way).toBe('vscode');
    expect((await stack.rows(1))[0]?.attempts[0]?.sentAs).toMatch(/^vscode\//);
  },
);
