import { readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { CopilotRuntime } from '../../app/account/sdk/copilot-runtime.ts';
import { nodeClock } from '../../app/adapters/clock.ts';
import { nodeDialer } from '../../app/adapters/dialer.ts';
import { memorySecrets } from '../../app/adapters/movable-secrets.ts';
import { fakeGithubToken } from '../../app/simulator/stage.ts';
import { patientLimits } from '../app/account/sdk/played.ts';
import { prompt, type Stack, type StackOptions, startStack } from '../app/stack.ts';
import { forward, startAway } from './away.ts';
import { fetchPatienceMs, fetchRealRuntime, realRuntime } from './real-runtime.ts';

const runtime = realRuntime;
const dialer = nodeDialer();
afterAll(() => dialer.close());

/** The whole product on the way through GitHub's own runtime, against the simulated GitHub and Copilot. */
describe.skipIf(runtime === null)('through GitHub’s own runtime', () => {
  let cache: string;
  let stack: Stack;
  /** Of the runtime. */
  let environment: Record<string, string>;
  const common = { clock: nodeClock(), dialer, platform: process.platform, userHome: homedir(), runtime };

  beforeAll(async () => {
    cache = await fetchRealRuntime();
  }, fetchPatienceMs);

  beforeEach(() => start());
  afterEach(() => stack.close());

  async function start(options: StackOptions = {}): Promise<void> {
    environment = {};
    const made: { runtime: CopilotRuntime | null } = { runtime: null };
    const real = (): CopilotRuntime => {
      const githubApi = new URL(stack.simulator.apiUrl);
      made.runtime ??= new CopilotRuntime({
        ...{ ...common, environment, githubApi, paths: { cache }, limits: patientLimits },
      });
      return made.runtime;
    };
    stack = await startStack({
      ...options,
      secrets: { ...memorySecrets({ 'github-token': fakeGithubToken }), storage: 'keychain' },
      app: {
        runtime: {
          package: runtime?.package ?? null,
          installed: () => Promise.resolve('here'),
          fetch: () => real().fetch(),
          ask: (credential) => real().ask(credential),
          auto: (token) => real().auto(token),
        },
      },
    });
  }

  const askedOf = (path: string) => stack.simulator.requests.filter((request) => request.path === path);

  it('a sign-in, a request in its name, another endpoint after a 401, and the way back', async () => {
    const { simulator, app } = stack;
    const { ownToken } = simulator;
    expect(await app.signInWith({ kind: 'token', token: ownToken })).toEqual({ kind: 'signed-in', login: 'octo-demo' });
    expect(app.state().admission).toMatchObject({
      ...{ way: 'copilot-sdk', credential: 'token', sentAs: { editor: 'copilot/1.0.85', integration: 'copilot-sdk' } },
    });
    expect((await stack.messages(prompt('hello'))).status).toBe(200);
    simulator.script.next({ kind: 'answer', status: 401, body: 'unauthorized' }, '/v1/messages');
    const usersBefore = simulator.githubRequests.filter(({ path }) => path === '/copilot_internal/user').length;
    expect((await stack.messages(prompt('hello again'))).status).toBe(200);
    const users = simulator.githubRequests.filter(({ path }) => path === '/copilot_internal/user');
    expect(users.length).toBeGreaterThan(usersBefore);
    expect(users.at(-1)?.headers).toMatchObject({ authorization: 'Bearer <own-token>' });
    expect(askedOf('/v1/messages').map(({ status, initiator }) => [status, initiator])).toEqual([
      [200, 'user'],
      [401, 'user'],
      [200, 'user'],
    ]);
    for (const { headers } of askedOf('/v1/messages')) {
      expect(headers).toMatchObject({ 'editor-version': 'copilot/1.0.85', 'copilot-harness-id': 'copilot-sdk' });
      expect(headers).not.toHaveProperty('x-client-machine-id');
    }
    expect(simulator.script.violations).toEqual([]);
    expect(await app.chooseCredential('vscode')).toBe(true);
    expect((await stack.messages(prompt('as before'))).status).toBe(200);
    expect(askedOf('/v1/messages').at(-1)?.headers['editor-version']).toMatch(/^vscode\//);
    const files = readdirSync(stack.home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    for (const { parentPath, name } of files) {
      expect(readFileSync(join(parentPath, name), 'latin1')).not.toContain(ownToken);
    }
  });

  it('a token that GitHub took back is refused, and the other way is offered', async () => {
    const { simulator, app } = stack;
    const token = simulator.ownToken;
    await app.signInWith({ kind: 'token', token });
    simulator.script.revokeGithubToken();
    expect((await stack.messages(prompt('hello'))).status).toBe(401);
    expect(app.state().account).toMatchObject({ kind: 'signed-in', notice: { id: 'sign-in-refused' } });
    const again = await app.signInWith({ kind: 'token', token });
    expect(again).toMatchObject({ kind: 'failed', remedy: expect.stringContaining('--way vscode') });
  });

  it('Auto: the runtime asks GitHub for a model, and the conversation runs on it', async () => {
    await stack.close();
    await start({ simulator: { plan: 'student' } });
    const { simulator, app } = stack;
    const away = await startAway(['api.githubcopilot.com'], (asked, answer) =>
      forward(simulator.copilotUrl, asked, answer),
    );
    onTestFinished(() => away.close());
    environment = away.environment;
    await app.signInWith({ kind: 'token', token: simulator.ownToken });
    expect((await stack.messages(prompt('hello', { model: 'auto' }))).status).toBe(200);
    expect((await stack.messages(prompt('hello again', { model: 'auto' }))).status).toBe(200);
    const sent = askedOf('/v1/messages').map(({ body, headers }) => [
      (body as { model: string }).model,
      headers['copilot-session-token'],
    ]);
    expect(sent).toEqual(Array(2).fill(['claude-sonnet-4.6', '<auto-session-1>']));
    // Nothing of the conversation goes to the router, and no other host is asked.
    expect(askedOf('/models/session').map(({ body }) => body)).toEqual([{ auto_mode: { model_hints: ['auto'] } }]);
    expect(new Set(away.proxy.asked.map(({ target }) => target))).toEqual(new Set(['api.githubcopilot.com:443']));
    expect(simulator.script.violations).toEqual([]);
  });
});
