import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Account } from '../../../app/account/account.ts';
import { defaultClientId } from '../../../app/account/device-flow.ts';
import type { RuntimeAnswer } from '../../../app/account/sdk/endpoint.ts';
import type { RuntimeFailureKind } from '../../../app/account/sdk/failure.ts';
import type { CredentialKind, SignInRequest } from '../../../app/api/account.ts';
import type { Path } from '../../../app/api/exchange.ts';
import { CopilotClient } from '../../../app/copilot/client.ts';
import { endpointFor, FakeRuntime, fineGrained } from './runtime-way.ts';
import { githubToken, jsonSample, type Surroundings, surround } from './surroundings.ts';

let around: Surroundings;
let runtime: FakeRuntime;
beforeEach(async () => {
  around = await surround();
  runtime = new FakeRuntime();
  runtime.answers = [good(fineGrained)];
});
afterEach(() => around.stop());

const good = (token: string): RuntimeAnswer => ({ ok: true, endpoint: endpointFor(token, around.copilot.url) });
const bad = (kind: RuntimeFailureKind, status: number | null = null): RuntimeAnswer => ({
  ok: false,
  failure: { kind, message: `It is ${kind}.`, remedy: 'Do this.', status },
});

async function opened(credential: CredentialKind | null = 'token', stored = fineGrained): Promise<Account> {
  if (credential === 'token') {
    around.secrets.values.set('fine-grained-token', `${around.github.url.host} ${stored}`);
  }
  const account = new Account({ ...around.parts, credential, runtime });
  await account.load();
  return account;
}

const signIn = (account: Account, request: SignInRequest) => account.signIn(() => {}, undefined, request);
const stored = () => Object.fromEntries(around.secrets.values);
const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    ({ kind, message, remedy }) => ({ kind, message, remedy }),
  );

describe('on the way through GitHub’s runtime', () => {
  it('a request goes to the address, with the bearer and the headers that the runtime named', async () => {
    const account = await opened();
    const client = new CopilotClient({ ...around.parts, account });
    const send = async (path: Path) => {
      around.copilot.routes[`POST ${path}`] = () => ({ body: {} });
      await client.send({
        ...{
          path,
          body: '{}',
          initiator: 'agent',
          interactionType: 'conversation-agent',
          intent: 'conversation-agent',
        },
        ...{ interactionId: 'prompt-1', turnId: 'turn-1', vision: false, anthropicVersion: null, anthropicBeta: null },
        ...{ signal: new AbortController().signal, startedTicks: 0 },
      });
      const { host: _, connection: __, 'content-length': ___, ...headers } = around.copilot.seen.at(-1)?.headers ?? {};
      return headers;
    };
    const always = {
      authorization: `Bearer ${fineGrained}`,
      'copilot-integration-id': 'copilot-sdk',
      'copilot-harness-id': 'copilot-sdk',
      'user-agent': 'copilot/1.0.85 (linux unknown) term/unknown',
      'editor-version': 'copilot/1.0.85',
      'x-github-api-version': '2026-08-01',
      'content-type': 'application/json',
      'openai-intent': 'conversation-agent',
      'x-initiator': 'agent',
      'x-interaction-id': 'prompt-1',
      'x-interaction-type': 'conversation-agent',
      'x-request-id': 'turn-1',
      'x-agent-task-id': 'turn-1',
    };
    expect(await send('/v1/messages')).toEqual({ ...always, accept: '*/*' });
    expect(await send('/responses')).toEqual({ ...always, accept: 'application/json' });
    around.copilot.routes['GET /models'] = () => ({ body: { data: [] } });
    await client.getModels();
    const catalog = around.copilot.seen.at(-1)?.headers;
    expect(catalog).toMatchObject({ authorization: `Bearer ${fineGrained}`, 'openai-intent': 'model-access' });
    expect(catalog).not.toHaveProperty('x-initiator');
    expect(runtime.asked).toEqual([{ kind: 'token', token: fineGrained, host: null }]);
    expect(around.github.seen).toEqual([]);
  });

  it('a company’s host goes along with the token', async () => {
    around.secrets.values.set('fine-grained-token', `octo.ghe.com ${fineGrained}`);
    const github = { web: new URL('https://octo.ghe.com'), api: new URL('https://api.octo.ghe.com') };
    const account = new Account({ ...around.parts, github, credential: 'token', runtime });
    await account.load();
    await account.token();
    expect(runtime.asked).toEqual([{ kind: 'token', token: fineGrained, host: 'octo.ghe.com' }]);
    const elsewhere = await opened('copilot-login');
    await elsewhere.follow('token');
    expect(elsewhere.state()).toMatchObject({
      kind: 'signed-out',
      why: { text: expect.stringContaining('octo.ghe.com') },
    });
  });

  it('who it is comes with the endpoint, and is asked for anew later', async () => {
    const account = await opened();
    await Promise.all([account.token(), account.readUser()]);
    expect(runtime.asked).toHaveLength(1);
    const { login } = jsonSample('copilot_internal-user-student-token-billing.json');
    expect(account.state()).toMatchObject({
      kind: 'signed-in',
      login,
      apiHost: around.copilot.url.host,
      token: { usableUntil: null },
    });
    expect(account.quota()).not.toBeNull();
    expect(account.admission()).toEqual({
      way: 'copilot-sdk',
      credential: 'token',
      sentAs: { editor: 'copilot/1.0.85', integration: 'copilot-sdk' },
      kept: null,
    });
    await account.readUser();
    expect(runtime.asked).toHaveLength(2);
  });

  it('nothing expires, and a refusal has the runtime asked again', async () => {
    const account = await opened();
    runtime.answers = [good('github_pat_first'), good('github_pat_second')];
    const first = await account.token();
    around.clock.advance(7 * 24 * 60 * 60_000);
    expect(await account.token()).toBe(first);
    for (const status of [401, 403, 421]) {
      const before = runtime.asked.length;
      account.refuse(await account.token(), status);
      expect((await account.token()).authorization).toBe('Bearer github_pat_second');
      expect(runtime.asked).toHaveLength(before + 1);
      account.accepted();
    }
  });

  it('the last good endpoint is kept when no other one can be had, and the reason is told', async () => {
    const account = await opened();
    runtime.answers = [good(fineGrained), bad('died'), good(fineGrained)];
    const first = await account.token();
    account.refuse(first, 421);
    expect(await account.token()).toBe(first);
    expect(account.admission().kept).toEqual({
      code: 'last-endpoint',
      text: 'Copilot refused the endpoint, and no other was received: It is died. The last working endpoint is used.',
      remedy: expect.stringMatching(/^Do this\. .*login --way vscode/),
    });
    account.accepted();
    expect(account.admission().kept).toBeNull();
    around.clock.advance(1000);
    account.refuse(first, 401);
    expect(await account.token()).not.toBe(first);
  });

  it('a runtime that fails is not started again by each request: the pause grows to 30 s', async () => {
    runtime.answers = [bad('no-answer')];
    const account = await opened();
    const ask = () =>
      account.token().then(
        () => null,
        ({ message, retryAfterSeconds }) => [message, retryAfterSeconds],
      );
    for (const [number, pauseMs] of [1, 2, 4, 8, 16, 30, 30].map((seconds, at) => [at + 1, seconds * 1000] as const)) {
      expect(await ask()).toEqual(['It is no-answer.', null]);
      around.clock.advance(pauseMs - 1);
      expect([await ask(), runtime.asked.length]).toEqual([['It is no-answer.', 1], number]);
      around.clock.advance(1);
    }
    runtime.answers = [good(fineGrained)];
    expect(await ask()).toBeNull();
  });

  it('who looks at the account by hand, or fetches the runtime, waits for no pause', async () => {
    runtime.answers = [bad('no-answer'), good(fineGrained)];
    const account = await opened();
    await account.token().catch(() => undefined);
    await account.readUser();
    expect([runtime.asked.length, account.state()]).toMatchObject([2, { kind: 'signed-in' }]);
    expect((await account.token()).authorization).toContain(fineGrained);

    const missing = new FakeRuntime();
    missing.answers = [bad('missing'), good(fineGrained)];
    const other = new Account({ ...around.parts, credential: 'token', runtime: missing });
    await other.load();
    expect(await failureOf(other.token())).toMatchObject({ message: 'It is missing.' });
    expect((await other.token()).authorization).toContain(fineGrained);
  });

  it('a refused credential is not kept in use', async () => {
    const account = await opened();
    runtime.answers = [good(fineGrained), bad('token-refused', 401)];
    account.refuse(await account.token(), 401);
    expect(await failureOf(account.token())).toMatchObject({ kind: 'refused', message: 'It is token-refused.' });
    expect(account.state()).toMatchObject({ kind: 'signed-in', notice: { id: 'sign-in-refused' } });
  });

  it.each([
    ['offline', null, 'network'],
    ['no-copilot', 403, 'refused'],
    ['missing', null, 'broken'],
    ['no-answer', null, 'broken'],
  ] as const)('%s is said with its remedy, and the other way is offered', async (kind, status, expected) => {
    runtime.answers = [bad(kind, status)];
    expect(await failureOf((await opened()).token())).toEqual({
      kind: expected,
      message: `It is ${kind}.`,
      remedy: 'Do this. Or sign in as VS Code: Settings → Account, or "jumpseat login --way vscode".',
    });
  });
});

describe.each([
  ['token-refused', 401],
  ['not-signed-in', null],
] as const)('a sign-in that is over (%s)', (kind, status) => {
  it.each([
    ['token', 'jumpseat login --way copilot-sdk --token-stdin < FILE'],
    ['own-app', 'jumpseat login --way copilot-sdk'],
    ['copilot-login', 'jumpseat login --way copilot-sdk --copilot-login'],
  ] as const)('of %s is said with the command for it, and the other way', async (credential, command) => {
    around.secrets.values.set('own-app-token', githubToken);
    around.secrets.values.set('fine-grained-token', fineGrained);
    const account = new Account({ ...around.parts, runtime, credential });
    await account.load();
    runtime.answers = [bad(kind, status)];
    const failure = await failureOf(account.token());
    expect(failure?.message).toBe(`It is ${kind}.`);
    expect(failure?.remedy).toContain(`run "${command}".`);
    expect(failure?.remedy).toContain('"jumpseat login --way vscode"');
  });
});

describe('a sign-in for it', () => {
  it('with a token stores it under its own name and leaves that of VS Code', async () => {
    around.secrets.values.set('github-token', githubToken);
    const account = new Account({ ...around.parts, runtime });
    await account.load();
    expect(await signIn(account, { kind: 'token', token: ` ${fineGrained}\n` })).toMatchObject({ kind: 'signed-in' });
    const both = { 'github-token': githubToken, 'fine-grained-token': `${around.github.url.host} ${fineGrained}` };
    expect(stored()).toEqual(both);
    expect(account.admission()).toMatchObject({ way: 'copilot-sdk', credential: 'token' });
    expect(await account.use('vscode')).toBe(true);
    expect((await account.token()).authorization).toMatch(/^Bearer tid=/);
    expect(await account.use('token')).toBe(true);
    await account.signOut();
    expect(stored()).toEqual({ 'github-token': githubToken });
    expect(account.state().kind).toBe('signed-out');
    expect(await account.use('token')).toBe(false);
    expect(await account.use('vscode')).toBe(true);
    expect(account.state().kind).toBe('signed-in');
    expect(runtime.asked.every((asked) => asked.kind === 'token' && asked.token === fineGrained)).toBe(true);
  });

  it.each([
    ['ghp_0123456789abcdefghij', /classic personal access token/],
    ['ghu_0123456789abcdefghij', /VS Code’s app/],
    ['ghs_0123456789abcdefghij', /not a fine-grained token/],
    ['github_pat_0123 456789', /spaces or characters/],
  ])('refuses %s by a sentence without it, asks nobody and stores nothing', async (token, words) => {
    const account = await opened(null);
    const result = await signIn(account, { kind: 'token', token });
    expect(result).toMatchObject({ kind: 'failed', text: expect.stringMatching(words) });
    expect(JSON.stringify(result)).not.toContain('0123');
    expect([runtime.asked, stored()]).toEqual([[], {}]);
  });

  it('that GitHub refuses stores nothing and leaves who was signed in', async () => {
    around.secrets.values.set('github-token', githubToken);
    const account = new Account({ ...around.parts, runtime });
    await account.load();
    runtime.answers = [bad('token-refused', 401)];
    expect(await signIn(account, { kind: 'token', token: fineGrained })).toEqual({
      kind: 'failed',
      text: 'It is token-refused. Nothing was stored.',
      remedy: expect.stringContaining('--token-stdin < FILE'),
    });
    expect(stored()).toEqual({ 'github-token': githubToken });
    expect(account.admission().way).toBe('vscode');
    expect((await account.token()).authorization).toMatch(/^Bearer tid=/);
  });

  it('with a token that another sign-in overtakes ends as cancelled and stores nothing', async () => {
    const account = await opened(null);
    const gate = Promise.withResolvers<void>();
    const ask = runtime.ask.bind(runtime);
    const held = vi.spyOn(runtime, 'ask').mockImplementationOnce(async (credential) => {
      await gate.promise;
      return ask(credential);
    });
    const first = signIn(account, { kind: 'token', token: fineGrained });
    expect(await signIn(account, { kind: 'copilot-login' })).toMatchObject({ kind: 'signed-in' });
    gate.resolve();
    expect(await first).toEqual({ kind: 'cancelled' });
    expect([stored(), account.admission().credential]).toEqual([{}, 'copilot-login']);
    held.mockRestore();
  });

  it.each<SignInRequest>([{ kind: 'token', token: fineGrained }, { kind: 'copilot-login' }])(
    'that the person leaves ends at once, and nothing of it is stored ($kind)',
    async (request) => {
      const account = await opened(null);
      const never = vi.spyOn(runtime, 'ask').mockReturnValue(new Promise(() => undefined));
      const leaving = new AbortController();
      const left = account.signIn(() => {}, leaving.signal, request);
      await vi.waitFor(() => expect(never).toHaveBeenCalled());
      leaving.abort();
      expect(await left).toEqual({ kind: 'cancelled' });
      expect([stored(), account.state().kind]).toEqual([{}, 'signed-out']);
      never.mockRestore();
    },
  );

  it('with one’s own app asks GitHub in its name and never in that of VS Code', async () => {
    const account = await opened(null);
    expect(await signIn(account, { kind: 'own-app' })).toMatchObject({
      kind: 'failed',
      text: expect.stringMatching(/your own OAuth app/),
    });
    runtime.ownClientId = defaultClientId;
    expect(await signIn(account, { kind: 'own-app' })).toMatchObject({
      kind: 'failed',
      text: expect.stringMatching(/VS Code’s app/),
    });
    expect(around.github.seen).toEqual([]);
    runtime.ownClientId = 'Ov23liOwnApp';
    around.github.routes['POST /login/device/code'] = () => ({ body: jsonSample('device-code.response.json') });
    around.github.routes['POST /login/oauth/access_token'] = () => ({ body: { access_token: 'gho_ofTheirOwnApp' } });
    expect(await signIn(account, { kind: 'own-app' })).toMatchObject({ kind: 'signed-in' });
    for (const { body } of around.github.seen) expect(body).toContain('client_id=Ov23liOwnApp');
    expect(around.github.seen[0]?.body).toContain('scope=read%3Auser');
    expect(stored()).toEqual({ 'own-app-token': `${around.github.url.host} gho_ofTheirOwnApp` });
  });

  it('with what the Copilot CLI stored hides its bearer, which the runtime alone names', async () => {
    const hidden: unknown[] = [];
    const hideSecret = (...given: unknown[]) => void hidden.push(given);
    const account = new Account({ ...around.parts, hideSecret, credential: 'copilot-login', runtime });
    await account.load();
    expect(hidden).toEqual([]);
    await account.token();
    expect(hidden).toEqual([[fineGrained, 'kept']]);
  });

  it('with what the Copilot CLI stored keeps nothing here', async () => {
    const account = await opened(null);
    expect(account.state().kind).toBe('signed-out');
    expect(await signIn(account, { kind: 'copilot-login' })).toMatchObject({ kind: 'signed-in' });
    expect(runtime.asked).toEqual([{ kind: 'stored-sign-in', copilotHome: '/home/octocat/.copilot' }]);
    expect(stored()).toEqual({});
    await account.signOut();
    expect(account.admission()).toMatchObject({ way: 'copilot-sdk', credential: null });
    expect(account.state().kind).toBe('signed-out');
  });
});

describe('another process', () => {
  it('that goes over to another way takes this one along', async () => {
    around.secrets.values.set('github-token', githubToken);
    const account = await opened('token');
    await account.follow('vscode');
    expect((await account.token()).authorization).toMatch(/^Bearer tid=/);
    await account.follow(null);
    expect(account.state().kind).toBe('signed-out');
  });
});
